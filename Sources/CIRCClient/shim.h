#pragma once
#include <libircclient.h>
#include <libirc_rfcnumeric.h>
