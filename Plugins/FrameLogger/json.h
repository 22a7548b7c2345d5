// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// A JSON value as a part of the text of a line.
struct json {
  /// The first character, or NULL if the value does not exist.
  const char *text;
  /// The number of characters.
  size_t length;
};

/// Returns the value of a member of an object.
struct json json_member(struct json object, const char *name);

/// Returns whether a value is this string, which must not contain escapes.
bool json_is_string(struct json value, const char *text);

/// Returns whether an array contains this integer.
bool json_has_integer(struct json array, long number);

/// Copies a string with a final zero byte. Returns false if the value is not a string or does not fit.
bool json_copy_string(struct json value, char *buffer, size_t size);
