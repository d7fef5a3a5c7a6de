// Hashes, PBKDF2 and ECDSA of libcrypto, which curl has in the process already; every call imports as it is.
#pragma once
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
