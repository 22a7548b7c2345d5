// SPDX-License-Identifier: Apache-2.0
#ifndef DARKROOM_HOST_TYPES_H
#define DARKROOM_HOST_TYPES_H

#include <stdbool.h>
#include <stddef.h>

/// The type of a member of a structure: `const char *`, `int64_t`, `double`, `bool`, an enumeration as `int`, a
/// pointer to a structure, a linked list.
enum dk_kind { DK_STRING, DK_INTEGER, DK_NUMBER, DK_BOOLEAN, DK_CHOICE, DK_OBJECT, DK_ARRAY };

struct dk_type;

/// A member of an object, and the member of the structure that receives the value.
struct dk_field {
  const char *name;
  size_t offset;
  enum dk_kind kind;
  /// Whether the server may omit the member.
  bool is_optional;
  /// The names of an enumeration.
  const char *const *names;
  /// The type of an object or of the elements of an array; NULL for strings.
  const struct dk_type *type;
};

/// A structure that receives an object.
struct dk_type {
  size_t size;
  const struct dk_field *fields;
  size_t count;
};

// The fields of a table, and a type with the fields.

#define DK_VALUE(structure, member, name, kind) {name, offsetof(structure, member), kind, false, NULL, NULL}
#define DK_OPTIONAL(structure, member, name, kind) {name, offsetof(structure, member), kind, true, NULL, NULL}
#define DK_NAMED(structure, member, name, names) {name, offsetof(structure, member), DK_CHOICE, false, names, NULL}
#define DK_OPTIONAL_NAMED(structure, member, name, names) \
  {name, offsetof(structure, member), DK_CHOICE, true, names, NULL}
#define DK_NESTED(structure, member, name, kind, type) {name, offsetof(structure, member), kind, false, NULL, type}
#define DK_OPTIONAL_NESTED(structure, member, name, kind, type) \
  {name, offsetof(structure, member), kind, true, NULL, type}
#define DK_FIELDS(structure, fields) {sizeof(structure), fields, sizeof(fields) / sizeof *(fields)}

#endif
