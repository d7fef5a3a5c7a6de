// Hashes, PBKDF2, ECDSA and certificates of libcrypto, which curl has in the process already; every call imports as it is.
#pragma once
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
