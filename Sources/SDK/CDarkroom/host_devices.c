// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"
#include "image.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(DK_COUNT_AUTHENTICATION_RESULT == DARKROOM_HOST_PASSCODE_UNAVAILABLE, "darkroom_host_passcode differs");

int darkroom_host_list_cameras(darkroom_host *host, const darkroom_host_camera **cameras) {
  const void *list = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_DEVICE_LIST_CAMERAS);
  int count = dk_host_request_list(host, &text, "cameras", &dk_type_camera, &list);
  if (count >= 0) *cameras = list;
  return count;
}

int darkroom_host_list_microphones(darkroom_host *host, const darkroom_host_microphone **microphones) {
  const void *list = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_DEVICE_LIST_MICROPHONES);
  int count = dk_host_request_list(host, &text, "microphones", &dk_type_microphone, &list);
  if (count >= 0) *microphones = list;
  return count;
}

// MARK: Key bindings

int darkroom_host_list_key_bindings(darkroom_host *host, const darkroom_host_key_binding **bindings) {
  const void *list = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_CONTROL_BINDINGS);
  int count = dk_host_request_list(host, &text, "bindings", &dk_type_key_binding, &list);
  if (count >= 0) *bindings = list;
  return count;
}

int darkroom_host_bind_key(darkroom_host *host, const char *key, const char *app, const char *control) {
  struct dk_text text = dk_host_begin(host, DK_METHOD_CONTROL_BIND);
  dk_add_required(&text, "key", key);
  dk_add_required(&text, "app", app);
  dk_add_required(&text, "control", control);
  return dk_host_perform(host, &text);
}

int darkroom_host_unbind_key(darkroom_host *host, const char *key) {
  struct dk_text text = dk_host_begin(host, DK_METHOD_CONTROL_UNBIND);
  dk_add_required(&text, "key", key);
  return dk_host_perform(host, &text);
}

// MARK: Images

/// Returns the format for the suffix of a path, or NULL if the suffix is unknown.
static const char *dk_image_format(const char *path) {
  const char *suffix = path == NULL ? NULL : strrchr(path, '.');
  if (suffix == NULL) return NULL;
  if (strcmp(suffix, ".png") == 0) return "png";
  return strcmp(suffix, ".jpg") == 0 || strcmp(suffix, ".jpeg") == 0 ? "jpeg" : NULL;
}

/// Saves the content of a memory file. Returns 0 or an errno.
static int dk_save_memory(int file, const char *path) {
  struct stat status;
  if (fstat(file, &status) != 0) return errno;
  if (status.st_size <= 0) return EINVAL;
  size_t length = (size_t)status.st_size;
  void *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) return errno;
  int failure = dk_save_file(path, bytes, length);
  munmap(bytes, length);
  return failure;
}

int darkroom_host_save_viewfinder(darkroom_host *host, const char *session, const char *path) {
  int file = -1;
  const char *format = dk_image_format(path);
  if (format == NULL)
    return dk_host_fail(host, DARKROOM_INVALID, 0, "the name of the image does not end with .png, .jpg or .jpeg");
  struct dk_text text = dk_host_begin(host, DK_METHOD_VIEWFINDER_IMAGE);
  dk_add_required(&text, "session", session);
  dk_add_text(&text, "format", format);
  int failure = dk_host_finish_with_file(host, &text, NULL, &file);
  if (failure != 0) return failure;
  failure = dk_save_memory(file, path);
  close(file);
  return failure == 0 ? 0 : dk_host_fail(host, DARKROOM_SYSTEM_ERROR, failure, "the file cannot be written");
}

// MARK: Passcode

int darkroom_host_has_passcode(darkroom_host *host) {
  struct dk_json result;
  bool is_set = false;
  struct dk_text text = dk_host_begin(host, DK_METHOD_PASSCODE_GET);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  if (!dk_json_boolean(dk_json_member(result, "set"), &is_set)) return dk_host_bad_result(host, "set");
  return is_set ? 1 : 0;
}

/// Sends a request about the passcode. Returns a darkroom_host_passcode, or a negative code.
static int dk_change_passcode(darkroom_host *host, struct dk_text *text, const char *current) {
  static const char *const results[] = DK_NAMES_AUTHENTICATION_RESULT;
  struct dk_json result;
  dk_add_text(text, "current", current);
  int failure = dk_host_finish(host, text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  int choice = dk_json_choice(dk_json_member(result, "result"), results);
  return choice == 0 ? dk_host_bad_result(host, "result") : choice;
}

int darkroom_host_set_passcode(darkroom_host *host, const char *passcode, const char *current) {
  struct dk_text text = dk_host_begin(host, DK_METHOD_PASSCODE_SET);
  dk_add_required(&text, "passcode", passcode);
  return dk_change_passcode(host, &text, current);
}

int darkroom_host_clear_passcode(darkroom_host *host, const char *current) {
  struct dk_text text = dk_host_begin(host, DK_METHOD_PASSCODE_CLEAR);
  return dk_change_passcode(host, &text, current);
}
