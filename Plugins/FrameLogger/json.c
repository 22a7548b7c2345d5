// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Returns the position after spaces.
static const char *skip_space(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) at++;
  return at;
}

/// Returns the position after the string that starts at `at`.
static const char *skip_string(const char *at, const char *end) {
  for (at++; at < end; at++) {
    if (*at == '\\')
      at++;
    else if (*at == '"')
      return at + 1;
  }
  return end;
}

/// Returns the position after the value that starts at `at`. Brackets in strings do not count.
static const char *skip_value(const char *at, const char *end) {
  int depth = 0;
  while (at < end) {
    if (*at == '"') {
      at = skip_string(at, end);
      if (depth == 0) return at;
      continue;
    }
    if (*at == '{' || *at == '[') depth++;
    if (*at == '}' || *at == ']') {
      // The end of the enclosing array or object.
      if (depth == 0) return at;
      if (--depth == 0) return at + 1;
    }
    if (depth == 0 && (*at == ',' || *at == ' ')) return at;
    at++;
  }
  return end;
}

struct json json_member(struct json object, const char *name) {
  struct json none = {NULL, 0};
  if (object.length == 0 || object.text[0] != '{') return none;
  const char *end = object.text + object.length;
  const char *at = skip_space(object.text + 1, end);
  while (at < end && *at == '"') {
    const char *name_end = skip_string(at, end);
    struct json found = {at, (size_t)(name_end - at)};
    at = skip_space(name_end, end);
    if (at == end || *at != ':') return none;
    at = skip_space(at + 1, end);
    const char *value_end = skip_value(at, end);
    if (json_is_string(found, name)) return (struct json){at, (size_t)(value_end - at)};
    at = skip_space(value_end, end);
    if (at == end || *at != ',') return none;
    at = skip_space(at + 1, end);
  }
  return none;
}

bool json_is_string(struct json value, const char *text) {
  size_t length = strlen(text);
  return value.length == length + 2 && value.text[0] == '"' && memcmp(value.text + 1, text, length) == 0;
}

bool json_has_integer(struct json array, long number) {
  if (array.length == 0 || array.text[0] != '[') return false;
  const char *end = array.text + array.length;
  const char *at = skip_space(array.text + 1, end);
  while (at < end && *at != ']') {
    char *after;
    // The line ends with a zero byte, so strtol cannot read beyond its end.
    if (strtol(at, &after, 10) == number && after > at) return true;
    at = skip_space(skip_value(at, end), end);
    if (at < end && *at == ',') at = skip_space(at + 1, end);
  }
  return false;
}

/// Writes a character as UTF-8 and returns the number of bytes.
static size_t put_utf8(uint32_t character, char *out) {
  if (character < 0x80) {
    out[0] = (char)character;
    return 1;
  }
  size_t bytes = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (size_t index = bytes - 1; index > 0; index--) {
    out[index] = (char)(0x80 | (character & 0x3F));
    character >>= 6;
  }
  out[0] = (char)((0xF0 << (4 - bytes)) | character);
  return bytes;
}

/// Parses the four digits of a \u escape.
static uint32_t code_unit(const char *digits) {
  char text[5] = {digits[0], digits[1], digits[2], digits[3], 0};
  return (uint32_t)strtoul(text, NULL, 16);
}

/// Decodes the escape sequence after a backslash and advances `*at`. Returns the number of bytes written, or
/// 0 on error.
static size_t unescape(const char **at, const char *end, char *out) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char kind = *(*at)++;
  const char *simple = memchr(from, kind, sizeof from - 1);
  if (simple != NULL) {
    *out = to[simple - from];
    return 1;
  }
  if (kind != 'u' || end - *at < 4) return 0;
  uint32_t character = code_unit(*at);
  *at += 4;
  if (character >= 0xD800 && character < 0xDC00) {
    if (end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u') return 0;
    character = 0x10000 + ((character - 0xD800) << 10) + (code_unit(*at + 2) - 0xDC00);
    *at += 6;
  }
  return character == 0 || character > 0x10FFFF ? 0 : put_utf8(character, out);
}

bool json_copy_string(struct json value, char *buffer, size_t size) {
  if (value.length < 2 || value.text[0] != '"') return false;
  const char *at = value.text + 1, *end = value.text + value.length - 1;
  size_t used = 0;
  while (at < end) {
    // Space for the longest character and the final zero byte.
    if (size - used < 5) return false;
    if (*at != '\\') {
      buffer[used++] = *at++;
      continue;
    }
    at++;
    size_t bytes = unescape(&at, end, buffer + used);
    if (bytes == 0) return false;
    used += bytes;
  }
  buffer[used] = 0;
  return true;
}
