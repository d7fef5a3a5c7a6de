// Markdown as GitHub writes it: the parser and its extensions; Formatting says which of them are used, and why.
#pragma once
#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
