// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dk_put_bytes(struct dk_text *text, const void *bytes, size_t length) {
  if (text->failed) return;
  if (text->capacity - text->length <= length) {
    size_t capacity = (text->length + length + 1) * 2;
    char *larger = realloc(text->bytes, capacity);
    if (larger == NULL) {
      text->failed = true;
      return;
    }
    text->bytes = larger;
    text->capacity = capacity;
  }
  if (length > 0) memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = 0;
}

void dk_put(struct dk_text *text, const char *string) { dk_put_bytes(text, string, strlen(string)); }

/// Appends one character of a JSON string, or its escape sequence.
static void dk_put_character(struct dk_text *text, const char *bytes, size_t length) {
  char escape[8];
  unsigned char first = (unsigned char)bytes[0];
  if (length > 1 || (first >= 0x20 && first != '"' && first != '\\')) {
    dk_put_bytes(text, bytes, length);
  } else {
    snprintf(escape, sizeof escape, first < 0x20 ? "\\u%04x" : "\\%c", first);
    dk_put(text, escape);
  }
}

void dk_put_string(struct dk_text *text, const char *string) {
  // A missing text is an empty text, about which the host reports an error.
  size_t rest = string == NULL ? 0 : strlen(string);
  dk_put(text, "\"");
  while (rest > 0) {
    size_t length = dk_json_character(string, rest);
    if (length == 0) {
      dk_put(text, "\xEF\xBF\xBD");
      length = 1;
    } else {
      dk_put_character(text, string, length);
    }
    string += length;
    rest -= length;
  }
  dk_put(text, "\"");
}

void dk_put_integer(struct dk_text *text, int64_t number) {
  char digits[24];
  snprintf(digits, sizeof digits, "%lld", (long long)number);
  dk_put(text, digits);
}

void dk_put_number(struct dk_text *text, double number) {
  char digits[40];
  if (!isfinite(number)) {
    dk_put(text, "null");
    return;
  }
  // In other locales, the decimal separator may be a comma.
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0) {
    text->failed = true;
    return;
  }
  locale_t previous = uselocale(plain);
  snprintf(digits, sizeof digits, "%.15g", number);
  if (strtod(digits, NULL) != number) snprintf(digits, sizeof digits, "%.17g", number);
  uselocale(previous);
  freelocale(plain);
  dk_put(text, digits);
}

bool dk_put_json(struct dk_text *text, const char *json) {
  size_t length = strlen(json);
  if (!dk_json_valid(json, length)) return false;
  bool is_string = false;
  for (size_t index = 0; index < length; index++) {
    if (!is_string && strchr(" \t\r\n", json[index]) != NULL) continue;
    if (json[index] == '"') is_string = !is_string;
    if (is_string && json[index] == '\\') dk_put_bytes(text, json + index++, 1);
    dk_put_bytes(text, json + index, 1);
  }
  return true;
}

void dk_discard(struct dk_text *text) {
  free(text->bytes);
  *text = (struct dk_text){0};
}

char *dk_copy_text(struct dk_json value) {
  char *copy = malloc(value.length + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, value.text, value.length);
  copy[value.length] = 0;
  return copy;
}
