// Argon2id and random bytes; every call imports as it is.
#pragma once
#include <sodium.h>
