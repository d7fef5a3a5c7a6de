// Header-only, so that the program does not need libtomlplusplus3 where it runs; errors are values, not exceptions.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "CTOML.h"

namespace {

void write_string(std::string &out, std::string_view text) {
    out += '"';
    for (const char character : text) {
        if (character == '"' || character == '\\') {
            (out += '\\') += character;
        } else if (static_cast<unsigned char>(character) < 0x20) {
            char escape[7];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(character));
            out += escape;
        } else {
            out += character;
        }
    }
    out += '"';
}

void write_node(std::string &out, const toml::node &node);

void write_value(std::string &out, const toml::table &table) {
    out += "\"table\":{";
    for (auto entry = table.begin(); entry != table.end(); ++entry) {
        if (entry != table.begin()) out += ',';
        write_string(out, entry->first.str());
        out += ':';
        write_node(out, entry->second);
    }
    out += '}';
}

void write_value(std::string &out, const toml::array &array) {
    out += "\"array\":[";
    for (auto element = array.begin(); element != array.end(); ++element) {
        if (element != array.begin()) out += ',';
        write_node(out, *element);
    }
    out += ']';
}

void write_value(std::string &out, const toml::value<std::string> &text) {
    out += "\"string\":";
    write_string(out, text.get());
}

void write_value(std::string &out, const toml::value<int64_t> &number) {
    out += "\"integer\":" + std::to_string(number.get());
}

void write_value(std::string &out, const toml::value<double> &number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", number.get());
    // JSON knows no infinities.
    out += std::isfinite(number.get()) ? std::string("\"float\":") + digits : std::string("\"other\":\"") + digits + '"';
}

void write_value(std::string &out, const toml::value<bool> &flag) {
    out += flag.get() ? "\"boolean\":true" : "\"boolean\":false";
}

template <typename Moment>
void write_value(std::string &out, const toml::value<Moment> &) {
    out += "\"other\":\"a date or time\"";
}

void write_node(std::string &out, const toml::node &node) {
    out += "{\"line\":" + std::to_string(node.source().begin.line) + ',';
    node.visit([&out](const auto &value) { write_value(out, value); });
    out += '}';
}

std::string position(const toml::source_position &position) {
    return "line " + std::to_string(position.line) + ", column " + std::to_string(position.column);
}

}  // namespace

extern "C" ctoml_document ctoml_parse(const char *text, size_t length) {
    // Only memory can run out here, and no exception may cross into Swift.
    try {
        const toml::parse_result result = toml::parse(std::string_view(text, length));
        if (!result) {
            const auto &error = result.error();
            const std::string words = position(error.source().begin) + ": " + std::string(error.description());
            return {nullptr, strdup(words.c_str())};
        }
        std::string json;
        write_node(json, result.table());
        return {strdup(json.c_str()), nullptr};
    } catch (...) {
        return {nullptr, strdup("line 1, column 1: no memory left to read it")};
    }
}

extern "C" void ctoml_free(ctoml_document document) {
    std::free(document.json);
    std::free(document.error);
}
