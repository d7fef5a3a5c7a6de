#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A TOML document as JSON text, or what is wrong with it; exactly one of the two is set. Free with `ctoml_free`.
///
/// Every value becomes an object with its `line` in the document and one member named after its type: `table` (an
/// object), `array`, `string`, `integer`, `float`, `boolean`, or `other` (dates, times, infinities) as text.
struct ctoml_document {
    char *_Nullable json;
    /// `line 3, column 7: …`
    char *_Nullable error;
};

struct ctoml_document ctoml_parse(const char *_Nonnull text, size_t length);
void ctoml_free(struct ctoml_document document);

#ifdef __cplusplus
}
#endif
