// JSON (RFC 8259). Swift cannot import jansson's macros for a value's type and for giving it up.
#pragma once
#include <jansson.h>

static inline json_type cjansson_type(const json_t *value) { return json_typeof(value); }

static inline void cjansson_free(json_t *value) { json_decref(value); }
