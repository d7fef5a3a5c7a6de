// JSON (RFC 8259). Swift cannot import jansson's macros: for a value's type, for giving one up, and for how it is written.
#pragma once
#include <jansson.h>

static inline json_type cjansson_type(const json_t *value) { return json_typeof(value); }

static inline void cjansson_free(json_t *value) { json_decref(value); }

// Without white space; 0.7 as 0.7, for which 17 digits would be 0.69999999999999996. To be freed; NULL without memory.
static inline char *cjansson_text(const json_t *value) {
    return json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
}
