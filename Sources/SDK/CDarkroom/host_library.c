// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"
#include "image.h"

#include <limits.h>

// The functions of darkroom-manage.h about the photo library and the session log.

// MARK: Photo library

int darkroom_host_list_photos(darkroom_host *host, const char *app, const char *session, int limit,
                              const darkroom_host_asset **assets) {
  const void *list = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_PHOTOS_LIST);
  dk_add_text(&text, "app", app);
  dk_add_text(&text, "session", session);
  if (limit != 0) dk_add_integer(&text, "limit", limit);
  int count = dk_host_request_list(host, &text, "assets", &dk_type_asset, &list);
  if (count >= 0) *assets = list;
  return count;
}

int darkroom_host_add_photos(darkroom_host *host, const char *app, const char *const *files, size_t count,
                             const darkroom_host_asset **assets, const darkroom_host_text **failures) {
  const void *list = NULL;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_PHOTOS_ADD, app);
  if (!dk_add_paths(host, &text, "files", files, count, dk_host_path)) return host->error.code;
  int added = dk_host_request_list_with_failures(host, &text, "assets", &dk_type_asset, assets == NULL ? NULL : &list,
                                                 failures);
  if (added >= 0 && assets != NULL) *assets = list;
  return added;
}

int darkroom_host_export_photo(darkroom_host *host, const char *asset, const char *directory, char *path, size_t size) {
  char buffer[DK_PATH_BYTES];
  struct dk_json result;
  const char *absolute = dk_host_path(host, directory, buffer);
  if (absolute == NULL && directory != NULL) return host->error.code;
  struct dk_text text = dk_host_begin(host, DK_METHOD_PHOTOS_EXPORT);
  dk_add_required(&text, "asset", asset);
  dk_add_required(&text, "directory", absolute);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  return failure != 0 ? failure : dk_host_copy_member(host, result, "path", path, size);
}

int darkroom_host_delete_photo(darkroom_host *host, const char *asset) {
  struct dk_text text = dk_host_begin(host, DK_METHOD_PHOTOS_DELETE);
  dk_add_required(&text, "asset", asset);
  return dk_host_perform(host, &text);
}

int darkroom_host_select_photos(darkroom_host *host, const char *app, const char *const *assets, size_t count) {
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_PHOTOS_SELECT, app);
  dk_add_array(&text, "assets", assets, count);
  return dk_host_perform(host, &text);
}

int darkroom_host_list_selected_photos(darkroom_host *host, const char *app, const darkroom_host_text **assets) {
  const void *list = NULL;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_PHOTOS_SELECTION, app);
  int count = dk_host_request_list(host, &text, "selected", NULL, &list);
  if (count >= 0) *assets = list;
  return count;
}

/// Reads the number of elements or changes in a result. Returns the number, or a negative code.
static int dk_read_count(darkroom_host *host, struct dk_json result, const char *name) {
  int64_t count = 0;
  if (!dk_json_integer(dk_json_member(result, name), &count) || count < 0) return dk_host_bad_result(host, name);
  return count > INT_MAX ? INT_MAX : (int)count;
}

int darkroom_host_verify_photos(darkroom_host *host, const darkroom_host_photo_difference **differences) {
  struct dk_json result;
  const void *list = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_PHOTOS_VERIFY);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  int count = dk_read_count(host, result, "count");
  if (count < 0 || differences == NULL) return count;
  failure = dk_host_decode_list(host, dk_json_member(result, "discrepancies"), &dk_type_photo_difference, &list);
  if (failure < 0) return failure;
  *differences = list;
  return count;
}

int darkroom_host_recover_photos(darkroom_host *host) {
  struct dk_json result;
  struct dk_text text = dk_host_begin(host, DK_METHOD_PHOTOS_RECOVER);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  return failure != 0 ? failure : dk_read_count(host, result, "changes");
}

// MARK: Session log

int darkroom_host_get_record(darkroom_host *host, const char *session, const char **record) {
  struct dk_json result;
  *record = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_LOG_RECORD);
  dk_add_required(&text, "session", session);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  if (dk_json_is_null(dk_json_member(result, "record"))) return 0;
  *record = dk_host_keep_member(host, result, "record");
  return *record == NULL ? host->error.code : 1;
}

int darkroom_host_get_log_head(darkroom_host *host, char *head, size_t size) {
  struct dk_json result;
  struct dk_text text = dk_host_begin(host, DK_METHOD_LOG_HEAD);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  if (dk_json_is_null(dk_json_member(result, "head"))) return 0;
  failure = dk_host_copy_member(host, result, "head", head, size);
  return failure != 0 ? failure : 1;
}

int darkroom_host_verify_log(darkroom_host *host, const char *head,
                             const darkroom_host_log_verification **verification) {
  struct dk_json result;
  bool is_valid = false;
  struct dk_memory *memory = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_LOG_VERIFY);
  dk_add_text(&text, "head", head);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  if (!dk_json_boolean(dk_json_member(result, "valid"), &is_valid)) return dk_host_bad_result(host, "valid");
  if (verification != NULL) {
    const void *object = dk_host_decode(host, result, &dk_type_log_verification, &memory);
    if (object == NULL) return host->error.code;
    *verification = object;
  }
  return is_valid ? 1 : 0;
}

int darkroom_host_list_device_uses(darkroom_host *host, const char *app, int resource, int limit,
                                   const darkroom_host_device_use **uses, const darkroom_host_text **failures) {
  static const char *const resources[] = DK_NAMES_LOG_DEVICE_USES_RESOURCE;
  const void *list = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_LOG_DEVICE_USES);
  dk_add_text(&text, "app", app);
  if (resource != 0 && !dk_add_choice(&text, "resource", resource, resources)) {
    dk_discard(&text);
    return dk_host_fail(host, DARKROOM_INVALID, 0, "the resource has no devices");
  }
  if (limit != 0) dk_add_integer(&text, "limit", limit);
  int count = dk_host_request_list_with_failures(host, &text, "uses", &dk_type_device_use, &list, failures);
  if (count >= 0) *uses = list;
  return count;
}
