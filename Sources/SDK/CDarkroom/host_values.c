// SPDX-License-Identifier: Apache-2.0
#include "host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The decoding of one value.
struct dk_decoding {
  struct dk_memory **memory;
  /// The name of the member without a valid value, or NULL.
  const char *faulty;
  bool failed;
};

static void dk_decode_members(struct dk_decoding *decoding, struct dk_json object, const struct dk_type *type,
                              char *structure);

/// Allocates a structure and decodes an object. Returns NULL without memory.
static void *dk_decode_object(struct dk_decoding *decoding, struct dk_json object, const struct dk_type *type) {
  void *structure = dk_allocate(decoding->memory, type->size);
  if (structure == NULL) decoding->failed = true;
  if (structure != NULL) dk_decode_members(decoding, object, type, structure);
  return structure;
}

/// Adds an element, whose first member is the pointer to the next one, to the end of a list.
static void dk_append_element(void **first, void **last, void *element) {
  if (*last == NULL)
    *first = element;
  else
    memcpy(*last, &element, sizeof element);
  *last = element;
}

/// Decodes an array of objects; or of strings, if `type` is NULL. Returns the number of elements.
static int dk_decode_array(struct dk_decoding *decoding, struct dk_json array, const struct dk_type *type,
                           void **first) {
  struct dk_json value = {NULL, 0};
  void *last = NULL;
  int count = 0;
  *first = NULL;
  while (!decoding->failed && decoding->faulty == NULL && dk_json_next(array, &value)) {
    void *element = NULL;
    if (type != NULL) {
      element = dk_decode_object(decoding, value, type);
    } else {
      darkroom_host_text *text = dk_allocate(decoding->memory, sizeof *text);
      if (text != NULL) text->text = dk_keep_string(decoding->memory, value);
      if (text == NULL || text->text == NULL) decoding->failed = true;
      element = text;
    }
    if (element == NULL) break;
    dk_append_element(first, &last, element);
    count++;
  }
  return count;
}

/// Decodes a member with a pointer: a string, an object or an array. Returns false if the value has another type.
static bool dk_decode_pointer(struct dk_decoding *decoding, struct dk_json value, const struct dk_field *field,
                              char *at) {
  const void *pointer = NULL;
  void *first = NULL;
  char start = field->kind == DK_STRING ? '"' : field->kind == DK_OBJECT ? '{' : '[';
  if (value.text[0] != start) return false;
  if (field->kind == DK_STRING) {
    pointer = dk_keep_string(decoding->memory, value);
    if (pointer == NULL) decoding->failed = true;
  } else if (field->kind == DK_OBJECT) {
    pointer = dk_decode_object(decoding, value, field->type);
  } else {
    dk_decode_array(decoding, value, field->type, &first);
    pointer = first;
  }
  // All pointers to structures and characters have the same representation.
  memcpy(at, &pointer, sizeof pointer);
  return true;
}

/// Decodes a member. Returns false if the value has another type.
static bool dk_decode_member(struct dk_decoding *decoding, struct dk_json value, const struct dk_field *field,
                             char *at) {
  switch (field->kind) {
    case DK_INTEGER: return dk_json_integer(value, (int64_t *)(void *)at);
    case DK_NUMBER: return dk_json_number(value, (double *)(void *)at);
    case DK_BOOLEAN: return dk_json_boolean(value, (bool *)(void *)at);
    case DK_CHOICE: *(int *)(void *)at = dk_json_choice(value, field->names); return value.text[0] == '"';
    case DK_STRING:
    case DK_OBJECT:
    case DK_ARRAY: return dk_decode_pointer(decoding, value, field, at);
  }
  return false;
}

static void dk_decode_members(struct dk_decoding *decoding, struct dk_json object, const struct dk_type *type,
                              char *structure) {
  for (size_t index = 0; index < type->count && !decoding->failed && decoding->faulty == NULL; index++) {
    const struct dk_field *field = &type->fields[index];
    struct dk_json value = dk_json_at(object, field->name);
    bool is_absent = dk_json_is_null(value);
    if (is_absent && field->is_optional) continue;
    if (is_absent || !dk_decode_member(decoding, value, field, structure + field->offset))
      decoding->faulty = field->name;
  }
}

/// Stores the error of a decoding, and frees its memory. Returns a code.
static int dk_report_decoding(darkroom_host *host, const struct dk_decoding *decoding) {
  if (!decoding->failed && decoding->faulty == NULL) return 0;
  dk_release(decoding->memory);
  if (decoding->faulty != NULL) return dk_host_bad_result(host, decoding->faulty);
  return dk_host_fail(host, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a result");
}

const void *dk_host_decode(darkroom_host *host, struct dk_json object, const struct dk_type *type,
                           struct dk_memory **memory) {
  struct dk_decoding decoding = {.memory = memory};
  void *structure = dk_decode_object(&decoding, object, type);
  return dk_report_decoding(host, &decoding) == 0 ? structure : NULL;
}

int dk_host_decode_list(darkroom_host *host, struct dk_json array, const struct dk_type *type, const void **list) {
  struct dk_memory *memory = NULL;
  struct dk_decoding decoding = {.memory = &memory};
  void *first;
  if (array.text == NULL || array.text[0] != '[') return dk_host_bad_result(host, "list");
  int count = dk_decode_array(&decoding, array, type, &first);
  int failure = dk_report_decoding(host, &decoding);
  *list = failure == 0 ? first : NULL;
  return failure == 0 ? count : failure;
}

int dk_host_request_list(darkroom_host *host, struct dk_text *text, const char *name, const struct dk_type *type,
                         const void **list) {
  struct dk_json result;
  int failure = dk_host_finish(host, text, DK_USE_NONE, &result);
  return failure != 0 ? failure : dk_host_decode_list(host, dk_json_member(result, name), type, list);
}

int dk_host_request_object(darkroom_host *host, struct dk_text *text, const struct dk_type *type,
                           const void **object) {
  struct dk_json result;
  struct dk_memory *memory = NULL;
  int failure = dk_host_finish(host, text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  *object = dk_host_decode(host, result, type, &memory);
  return *object == NULL ? host->error.code : 0;
}

int dk_host_request_list_with_failures(darkroom_host *host, struct dk_text *text, const char *name,
                                       const struct dk_type *type, const void **list,
                                       const darkroom_host_text **failures) {
  struct dk_json result;
  const void *elements = NULL, *texts = NULL;
  int failure = dk_host_finish(host, text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  int count = dk_host_decode_list(host, dk_json_member(result, name), type, &elements);
  if (count >= 0 && failures != NULL) {
    failure = dk_host_decode_list(host, dk_json_member(result, "failures"), NULL, &texts);
    if (failure >= 0)
      *failures = texts;
    else
      count = failure;
  }
  if (count >= 0 && list != NULL)
    *list = elements;
  else
    darkroom_host_free(elements);
  return count;
}

int dk_host_copy_member(darkroom_host *host, struct dk_json result, const char *name, char *buffer, size_t size) {
  char message[80];
  struct dk_json value = dk_json_member(result, name);
  if (value.text == NULL || value.text[0] != '"') return dk_host_bad_result(host, name);
  if (size == 0 || dk_json_text(value, buffer, size) >= 0) return 0;
  snprintf(message, sizeof message, "the buffer is too small for the %s", name);
  return dk_host_fail(host, DARKROOM_TOO_LARGE, 0, message);
}

const char *dk_host_keep_member(darkroom_host *host, struct dk_json result, const char *name) {
  struct dk_json value = dk_json_member(result, name);
  free(host->reply_text);
  // The decoded text is shorter than the encoded one.
  host->reply_text = value.text == NULL ? NULL : malloc(value.length);
  if (value.text != NULL && host->reply_text == NULL)
    dk_host_fail(host, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a result");
  else if (value.text == NULL || dk_json_string(value, host->reply_text, value.length) < 0)
    dk_host_bad_result(host, name);
  else
    return host->reply_text;
  return NULL;
}
