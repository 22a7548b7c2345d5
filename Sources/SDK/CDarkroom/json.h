// SPDX-License-Identifier: Apache-2.0
#ifndef DARKROOM_JSON_H
#define DARKROOM_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The maximum nesting of arrays and objects in a message.
#define DK_NESTING 32

/// A JSON value as a part of a text that dk_json_valid() has accepted. `text` is NULL if the value does not exist.
struct dk_json {
  const char *text;
  size_t length;
};

/// Returns whether a text is one JSON value in UTF-8 with at most DK_NESTING levels.
bool dk_json_valid(const char *text, size_t length);
/// Returns the length of the UTF-8 character at the start of `length` bytes, or 0 if the bytes are invalid.
size_t dk_json_character(const char *bytes, size_t length);
/// Returns the first member of an object with a name, or no value.
struct dk_json dk_json_member(struct dk_json object, const char *name);
/// Advances to the next element of an array. Start with an element without text.
bool dk_json_next(struct dk_json array, struct dk_json *element);
/// Returns the value at a path of names and indexes with dots between them.
struct dk_json dk_json_at(struct dk_json value, const char *path);
/// Returns whether the value is absent or null.
bool dk_json_is_null(struct dk_json value);
/// Returns whether the value is this string.
bool dk_json_is(struct dk_json value, const char *text);
/// Decodes a string and adds a zero byte. Returns the length, or -1 if the value is not a string without zero bytes or
/// does not fit.
ptrdiff_t dk_json_string(struct dk_json value, char *buffer, size_t size);
/// Decodes a string like dk_json_string(), and replaces zero bytes and halves of characters with U+FFFD.
ptrdiff_t dk_json_text(struct dk_json value, char *buffer, size_t size);
/// Reads a number. The result is independent of the locale.
bool dk_json_number(struct dk_json value, double *number);
/// Reads an integer without a fraction and an exponent.
bool dk_json_integer(struct dk_json value, int64_t *number);
/// Reads a Boolean.
bool dk_json_boolean(struct dk_json value, bool *boolean);
/// Returns the 1-based position of a string in a list that ends with NULL, or 0.
int dk_json_choice(struct dk_json value, const char *const *names);

/// A text that grows. After a failure of malloc(3), `failed` is set and the text is unusable.
struct dk_text {
  char *bytes;
  size_t length, capacity;
  bool failed;
};

/// Appends bytes.
void dk_put_bytes(struct dk_text *text, const void *bytes, size_t length);
/// Appends a C string.
void dk_put(struct dk_text *text, const char *string);
/// Appends a JSON string. Invalid UTF-8 is replaced with U+FFFD, because the host would end the session.
void dk_put_string(struct dk_text *text, const char *string);
/// Appends an integer.
void dk_put_integer(struct dk_text *text, int64_t number);
/// Appends a number that strtod(3) reads as the same value. A value that is not finite becomes null.
void dk_put_number(struct dk_text *text, double number);
/// Appends a JSON text without spaces. Returns false if the text is not valid.
bool dk_put_json(struct dk_text *text, const char *json);
/// Frees a text.
void dk_discard(struct dk_text *text);
/// Copies a value into new memory, with a zero byte at its end. Returns NULL without memory.
char *dk_copy_text(struct dk_json value);

#endif
