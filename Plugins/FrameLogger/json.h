// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// A part of a line: one JSON value as it is written.
struct json {
  /// The first character, or NULL if there is no such value.
  const char *text;
  /// The number of characters.
  size_t length;
};

/// The value of a member of an object.
struct json json_member(struct json object, const char *name);

/// Whether a value is this string; only strings without escapes are asked for.
bool json_is_string(struct json value, const char *text);

/// Whether an array has this integer.
bool json_has_integer(struct json array, long number);

/// Writes a string's characters with a zero at its end; false if it is no string or has no room.
bool json_copy_string(struct json value, char *buffer, size_t size);
