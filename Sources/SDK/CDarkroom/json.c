// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/// The unread part of a text.
struct dk_cursor {
  const char *at, *end;
};

/// Skips white space.
static void dk_skip_space(struct dk_cursor *cursor) {
  while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at) != NULL && *cursor->at != 0) cursor->at++;
}

/// Skips a character if it is the next one.
static bool dk_accept(struct dk_cursor *cursor, char character) {
  if (cursor->at == cursor->end || *cursor->at != character) return false;
  cursor->at++;
  return true;
}

size_t dk_json_character(const char *bytes, size_t length) {
  const unsigned char *byte = (const unsigned char *)bytes;
  if (length == 0) return 0;
  if (byte[0] < 0x80) return 1;
  size_t count = byte[0] >= 0xF0 ? 4 : byte[0] >= 0xE0 ? 3 : 2;
  if (byte[0] < 0xC2 || byte[0] > 0xF4 || length < count) return 0;
  for (size_t index = 1; index < count; index++)
    if ((byte[index] & 0xC0) != 0x80) return 0;
  // Longer forms of shorter characters, surrogates, and characters above U+10FFFF.
  if ((byte[0] == 0xE0 && byte[1] < 0xA0) || (byte[0] == 0xED && byte[1] > 0x9F)) return 0;
  if ((byte[0] == 0xF0 && byte[1] < 0x90) || (byte[0] == 0xF4 && byte[1] > 0x8F)) return 0;
  return count;
}

/// Returns the value of a hexadecimal digit, or -1.
static int dk_hexadecimal(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  digit |= 0x20;
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/// Skips an escape sequence after its backslash.
static bool dk_scan_escape(struct dk_cursor *cursor) {
  if (cursor->at == cursor->end) return false;
  char kind = *cursor->at++;
  if (kind != 'u') return kind != 0 && strchr("\"\\/bfnrt", kind) != NULL;
  if (cursor->end - cursor->at < 4) return false;
  for (int digit = 0; digit < 4; digit++)
    if (dk_hexadecimal(*cursor->at++) < 0) return false;
  return true;
}

/// Skips a string.
static bool dk_scan_string(struct dk_cursor *cursor) {
  if (!dk_accept(cursor, '"')) return false;
  while (cursor->at < cursor->end) {
    if (dk_accept(cursor, '"')) return true;
    if (dk_accept(cursor, '\\')) {
      if (!dk_scan_escape(cursor)) return false;
      continue;
    }
    size_t length = dk_json_character(cursor->at, (size_t)(cursor->end - cursor->at));
    if (length == 0 || (unsigned char)*cursor->at < 0x20) return false;
    cursor->at += length;
  }
  return false;
}

/// Skips digits, and returns their number.
static size_t dk_scan_digits(struct dk_cursor *cursor) {
  const char *begin = cursor->at;
  while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') cursor->at++;
  return (size_t)(cursor->at - begin);
}

/// Skips a number.
static bool dk_scan_number(struct dk_cursor *cursor) {
  dk_accept(cursor, '-');
  if (!dk_accept(cursor, '0') && dk_scan_digits(cursor) == 0) return false;
  if (dk_accept(cursor, '.') && dk_scan_digits(cursor) == 0) return false;
  if (dk_accept(cursor, 'e') || dk_accept(cursor, 'E')) {
    if (!dk_accept(cursor, '+')) dk_accept(cursor, '-');
    return dk_scan_digits(cursor) > 0;
  }
  return true;
}

/// Skips `true`, `false` or `null`.
static bool dk_scan_name(struct dk_cursor *cursor, const char *name) {
  size_t length = strlen(name);
  if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, name, length) != 0) return false;
  cursor->at += length;
  return true;
}

static bool dk_scan_value(struct dk_cursor *cursor, unsigned nesting);

/// Skips the elements of an array or the members of an object, and the closing bracket.
static bool dk_scan_container(struct dk_cursor *cursor, bool is_object, unsigned nesting) {
  char close = is_object ? '}' : ']';
  if (nesting > DK_NESTING) return false;
  dk_skip_space(cursor);
  if (dk_accept(cursor, close)) return true;
  for (;;) {
    dk_skip_space(cursor);
    if (is_object) {
      if (!dk_scan_string(cursor)) return false;
      dk_skip_space(cursor);
      if (!dk_accept(cursor, ':')) return false;
      dk_skip_space(cursor);
    }
    if (!dk_scan_value(cursor, nesting)) return false;
    dk_skip_space(cursor);
    if (dk_accept(cursor, close)) return true;
    if (!dk_accept(cursor, ',')) return false;
  }
}

/// Skips a value that is inside of `nesting` arrays and objects.
static bool dk_scan_value(struct dk_cursor *cursor, unsigned nesting) {
  if (cursor->at == cursor->end) return false;
  switch (*cursor->at) {
    case '{':
    case '[': return dk_scan_container(cursor, *cursor->at++ == '{', nesting + 1);
    case '"': return dk_scan_string(cursor);
    case 't': return dk_scan_name(cursor, "true");
    case 'f': return dk_scan_name(cursor, "false");
    case 'n': return dk_scan_name(cursor, "null");
    default: return dk_scan_number(cursor);
  }
}

bool dk_json_valid(const char *text, size_t length) {
  struct dk_cursor cursor = {text, text + length};
  dk_skip_space(&cursor);
  if (!dk_scan_value(&cursor, 0)) return false;
  dk_skip_space(&cursor);
  return cursor.at == cursor.end;
}

/// Skips a value and returns it.
static struct dk_json dk_read_value(struct dk_cursor *cursor) {
  const char *begin = cursor->at;
  // The text is valid, but the value may start within 32 levels of it: nesting is counted from the value.
  if (!dk_scan_value(cursor, 0)) return (struct dk_json){NULL, 0};
  return (struct dk_json){begin, (size_t)(cursor->at - begin)};
}

struct dk_json dk_json_member(struct dk_json object, const char *name) {
  struct dk_json none = {NULL, 0};
  if (object.text == NULL || object.text[0] != '{') return none;
  struct dk_cursor cursor = {object.text + 1, object.text + object.length};
  for (;;) {
    dk_skip_space(&cursor);
    struct dk_json key = {cursor.at, 0};
    if (!dk_scan_string(&cursor)) return none;
    key.length = (size_t)(cursor.at - key.text);
    dk_skip_space(&cursor);
    dk_accept(&cursor, ':');
    dk_skip_space(&cursor);
    struct dk_json value = dk_read_value(&cursor);
    if (dk_json_is(key, name)) return value;
    dk_skip_space(&cursor);
    if (!dk_accept(&cursor, ',')) return none;
  }
}

bool dk_json_next(struct dk_json array, struct dk_json *element) {
  if (array.text == NULL || array.text[0] != '[') return false;
  bool is_first = element->text == NULL;
  struct dk_cursor cursor = {is_first ? array.text + 1 : element->text + element->length, array.text + array.length};
  dk_skip_space(&cursor);
  if (!is_first && !dk_accept(&cursor, ',')) return false;
  dk_skip_space(&cursor);
  if (cursor.at < cursor.end && *cursor.at == ']') return false;
  *element = dk_read_value(&cursor);
  return element->text != NULL;
}

struct dk_json dk_json_at(struct dk_json value, const char *path) {
  while (*path != 0 && value.text != NULL) {
    char name[256];
    size_t length = strcspn(path, ".");
    if (length >= sizeof name) return (struct dk_json){NULL, 0};
    memcpy(name, path, length);
    name[length] = 0;
    path += length + (path[length] == '.');
    if (value.text[0] != '[') {
      value = dk_json_member(value, name);
      continue;
    }
    char *end;
    unsigned long index = strtoul(name, &end, 10);
    struct dk_json element = {NULL, 0};
    bool is_found = *end == 0 && length > 0 && dk_json_next(value, &element);
    while (is_found && index-- > 0) is_found = dk_json_next(value, &element);
    value = is_found ? element : (struct dk_json){NULL, 0};
  }
  return value;
}

bool dk_json_is_null(struct dk_json value) { return value.text == NULL || value.text[0] == 'n'; }

bool dk_json_is(struct dk_json value, const char *text) {
  char buffer[128];
  ptrdiff_t length = dk_json_string(value, buffer, sizeof buffer);
  return length >= 0 && strcmp(buffer, text) == 0;
}

/// Reads the four digits of an escape sequence.
static uint32_t dk_code_unit(const char *digits) {
  uint32_t unit = 0;
  for (int index = 0; index < 4; index++) unit = unit << 4 | (uint32_t)dk_hexadecimal(digits[index]);
  return unit;
}

/// Writes a character as UTF-8, and returns the number of bytes.
static size_t dk_encode_utf8(uint32_t character, char *out) {
  if (character < 0x80) {
    out[0] = (char)character;
    return 1;
  }
  size_t count = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (size_t index = count - 1; index > 0; index--, character >>= 6) out[index] = (char)(0x80 | (character & 0x3F));
  out[0] = (char)((0xF00 >> count) | character);
  return count;
}

/// Decodes the escape sequence after a backslash. Returns the number of bytes, or 0 for a zero byte and for half of a
/// surrogate pair.
static size_t dk_decode_escape(const char **at, const char *end, char *out) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char kind = *(*at)++;
  if (kind != 'u') {
    *out = to[strchr(from, kind) - from];
    return 1;
  }
  uint32_t character = dk_code_unit(*at);
  *at += 4;
  if (character >= 0xD800 && character < 0xDC00) {
    if (end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u') return 0;
    uint32_t low = dk_code_unit(*at + 2);
    if (low < 0xDC00 || low > 0xDFFF) return 0;
    character = 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00);
    *at += 6;
  }
  if (character == 0 || (character >= 0xDC00 && character <= 0xDFFF)) return 0;
  return dk_encode_utf8(character, out);
}

/// Decodes a string and adds a zero byte. Returns the length, or -1 if the string does not fit. A zero byte and half of a
/// character are replaced, or the function returns -1.
static ptrdiff_t dk_decode_string(struct dk_json value, char *buffer, size_t size, bool replaces) {
  if (value.text == NULL || value.length < 2 || value.text[0] != '"' || size == 0) return -1;
  const char *at = value.text + 1, *end = value.text + value.length - 1;
  size_t used = 0;
  while (at < end) {
    char character[4];
    size_t length = 1;
    character[0] = *at++;
    if (character[0] == '\\') length = dk_decode_escape(&at, end, character);
    if (length == 0 && replaces) length = dk_encode_utf8(0xFFFD, character);
    if (length == 0 || size - used <= length) return -1;
    memcpy(buffer + used, character, length);
    used += length;
  }
  buffer[used] = 0;
  return (ptrdiff_t)used;
}

ptrdiff_t dk_json_string(struct dk_json value, char *buffer, size_t size) {
  return dk_decode_string(value, buffer, size, false);
}

ptrdiff_t dk_json_text(struct dk_json value, char *buffer, size_t size) {
  return dk_decode_string(value, buffer, size, true);
}

bool dk_json_number(struct dk_json value, double *number) {
  char text[64];
  if (value.text == NULL || value.length >= sizeof text || (value.text[0] != '-' && dk_hexadecimal(value.text[0]) < 0))
    return false;
  if (value.text[0] == 'f') return false;
  memcpy(text, value.text, value.length);
  text[value.length] = 0;
  // In other locales, the decimal separator may be a comma.
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0) return false;
  locale_t previous = uselocale(plain);
  *number = strtod(text, NULL);
  uselocale(previous);
  freelocale(plain);
  return true;
}

bool dk_json_integer(struct dk_json value, int64_t *number) {
  if (value.text == NULL || value.length == 0) return false;
  bool is_negative = value.text[0] == '-';
  uint64_t magnitude = 0, limit = is_negative ? (uint64_t)INT64_MAX + 1 : INT64_MAX;
  for (size_t index = is_negative; index < value.length; index++) {
    unsigned digit = (unsigned)(value.text[index] - '0');
    if (digit > 9 || magnitude > (limit - digit) / 10) return false;
    magnitude = magnitude * 10 + digit;
  }
  *number = is_negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
  return true;
}

bool dk_json_boolean(struct dk_json value, bool *boolean) {
  if (value.text == NULL || (value.text[0] != 't' && value.text[0] != 'f')) return false;
  *boolean = value.text[0] == 't';
  return true;
}

int dk_json_choice(struct dk_json value, const char *const *names) {
  for (int index = 0; names[index] != NULL; index++)
    if (dk_json_is(value, names[index])) return index + 1;
  return 0;
}
