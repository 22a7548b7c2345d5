// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "image.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void dk_add_name(struct dk_text *text, const char *name) {
  if (!text->failed && text->length > 0 && text->bytes[text->length - 1] != '{') dk_put(text, ",");
  dk_put(text, "\"");
  dk_put(text, name);
  dk_put(text, "\":");
}

void dk_add_required(struct dk_text *text, const char *name, const char *value) {
  dk_add_name(text, name);
  dk_put_string(text, value);
}

void dk_add_text(struct dk_text *text, const char *name, const char *value) {
  if (value != NULL) dk_add_required(text, name, value);
}

void dk_add_integer(struct dk_text *text, const char *name, int64_t value) {
  dk_add_name(text, name);
  dk_put_integer(text, value);
}

void dk_add_number(struct dk_text *text, const char *name, double value) {
  dk_add_name(text, name);
  dk_put_number(text, value);
}

void dk_add_array(struct dk_text *text, const char *name, const char *const *values, size_t count) {
  dk_add_name(text, name);
  dk_put(text, "[");
  for (size_t index = 0; index < count; index++) {
    if (index > 0) dk_put(text, ",");
    dk_put_string(text, values[index]);
  }
  dk_put(text, "]");
}

void dk_add_texts(struct dk_text *text, const char *name, const char *const *values, size_t count) {
  if (count > 0) dk_add_array(text, name, values, count);
}

bool dk_add_choice(struct dk_text *text, const char *name, int value, const char *const *names) {
  int count = 0;
  while (names[count] != NULL) count++;
  if (value < 1 || value > count) return false;
  dk_add_required(text, name, names[value - 1]);
  return true;
}

const char *dk_host_path(darkroom_host *host, const char *path, char *buffer) {
  if (path == NULL || path[0] == '/' || path[0] == 0) return path;
  char directory[DK_PATH_BYTES];
  int failure = getcwd(directory, sizeof directory) == NULL ? errno : 0;
  if (failure == 0) {
    int count = snprintf(buffer, DK_PATH_BYTES, "%s/%s", directory, path);
    if (count > 0 && count < DK_PATH_BYTES) return buffer;
    failure = ENAMETOOLONG;
  }
  dk_host_fail(host, DARKROOM_SYSTEM_ERROR, failure, "the path cannot be made absolute");
  return NULL;
}

const char *dk_host_path_or_name(darkroom_host *host, const char *path, char *buffer) {
  return path == NULL || strchr(path, '/') == NULL ? path : dk_host_path(host, path, buffer);
}

bool dk_add_paths(darkroom_host *host, struct dk_text *text, const char *name, const char *const *paths, size_t count,
                  dk_path_function *find) {
  char buffer[DK_PATH_BYTES];
  if (count == 0) return true;
  dk_add_name(text, name);
  dk_put(text, "[");
  for (size_t index = 0; index < count; index++) {
    const char *path = find(host, paths[index], buffer);
    if (path == NULL && paths[index] != NULL) {
      dk_discard(text);
      return false;
    }
    if (index > 0) dk_put(text, ",");
    dk_put_string(text, path);
  }
  dk_put(text, "]");
  return true;
}
