// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Returns the position after spaces.
static const char *skip_space(const char *position, const char *end) {
  while (position < end && (*position == ' ' || *position == '\t' || *position == '\r' || *position == '\n')) position++;
  return position;
}

/// Returns the position after the string that starts at `position`.
static const char *skip_string(const char *position, const char *end) {
  for (position++; position < end; position++) {
    if (*position == '\\')
      position++;
    else if (*position == '"')
      return position + 1;
  }
  return end;
}

/// Returns the position after the value that starts at `position`. Brackets in strings do not count.
static const char *skip_value(const char *position, const char *end) {
  int depth = 0;
  while (position < end) {
    if (*position == '"') {
      position = skip_string(position, end);
      if (depth == 0) return position;
      continue;
    }
    if (*position == '{' || *position == '[') depth++;
    if (*position == '}' || *position == ']') {
      // The end of the enclosing array or object.
      if (depth == 0) return position;
      if (--depth == 0) return position + 1;
    }
    if (depth == 0 && (*position == ',' || *position == ' ')) return position;
    position++;
  }
  return end;
}

struct json json_member(struct json object, const char *name) {
  struct json none = {NULL, 0};
  if (object.length == 0 || object.text[0] != '{') return none;
  const char *end = object.text + object.length;
  const char *position = skip_space(object.text + 1, end);
  while (position < end && *position == '"') {
    const char *name_end = skip_string(position, end);
    struct json found = {position, (size_t)(name_end - position)};
    position = skip_space(name_end, end);
    if (position == end || *position != ':') return none;
    position = skip_space(position + 1, end);
    const char *value_end = skip_value(position, end);
    if (json_is_string(found, name)) return (struct json){position, (size_t)(value_end - position)};
    position = skip_space(value_end, end);
    if (position == end || *position != ',') return none;
    position = skip_space(position + 1, end);
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
  const char *position = skip_space(array.text + 1, end);
  while (position < end && *position != ']') {
    char *after;
    // The line ends with a zero byte, so strtol cannot read beyond its end.
    if (strtol(position, &after, 10) == number && after > position) return true;
    position = skip_space(skip_value(position, end), end);
    if (position < end && *position == ',') position = skip_space(position + 1, end);
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
static size_t unescape(const char **position, const char *end, char *out) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char kind = *(*position)++;
  const char *simple = memchr(from, kind, sizeof from - 1);
  if (simple != NULL) {
    *out = to[simple - from];
    return 1;
  }
  if (kind != 'u' || end - *position < 4) return 0;
  uint32_t character = code_unit(*position);
  *position += 4;
  if (character >= 0xD800 && character < 0xDC00) {
    if (end - *position < 6 || (*position)[0] != '\\' || (*position)[1] != 'u') return 0;
    character = 0x10000 + ((character - 0xD800) << 10) + (code_unit(*position + 2) - 0xDC00);
    *position += 6;
  }
  return character == 0 || character > 0x10FFFF ? 0 : put_utf8(character, out);
}

bool json_copy_string(struct json value, char *buffer, size_t size) {
  if (value.length < 2 || value.text[0] != '"') return false;
  const char *position = value.text + 1, *end = value.text + value.length - 1;
  size_t used = 0;
  while (position < end) {
    // Space for the longest character and the final zero byte.
    if (size - used < 5) return false;
    if (*position != '\\') {
      buffer[used++] = *position++;
      continue;
    }
    position++;
    size_t bytes = unescape(&position, end, buffer + used);
    if (bytes == 0) return false;
    used += bytes;
  }
  buffer[used] = 0;
  return true;
}
