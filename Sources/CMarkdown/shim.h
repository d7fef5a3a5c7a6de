// Markdown as GitHub writes it: the parser and its extensions (tables, strikethrough, autolinks).
#pragma once
#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
