// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"
#include "image.h"

// The functions of darkroom-manage.h about apps, the lock, storage and the machine.

// MARK: Apps

int darkroom_host_open_app(darkroom_host *host, const char *app, const char *activity, char *delivery, size_t size) {
  struct dk_json result;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_APPS_OPEN, app);
  dk_add_text(&text, "activity", activity);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  return failure != 0 ? failure : dk_host_copy_member(host, result, "delivery", delivery, size);
}

int darkroom_host_check_readiness(darkroom_host *host, const char *extension, const char *camera,
                                  const darkroom_host_check **checks) {
  struct dk_json result;
  const void *list = NULL;
  bool is_ready = false;
  struct dk_text text = dk_host_begin(host, DK_METHOD_CONTROL_READINESS);
  dk_add_required(&text, "extension", extension);
  dk_add_text(&text, "camera", camera);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  if (!dk_json_boolean(dk_json_member(result, "ready"), &is_ready)) return dk_host_bad_result(host, "ready");
  if (checks != NULL) {
    failure = dk_host_decode_list(host, dk_json_member(result, "checks"), &dk_type_check, &list);
    if (failure < 0) return failure;
    *checks = list;
  }
  return is_ready ? 1 : 0;
}

// MARK: Shared assets

int darkroom_host_publish_assets(darkroom_host *host, const char *app, const char *directory,
                                 const darkroom_host_asset_set **set) {
  char buffer[DK_PATH_BYTES];
  const void *object = NULL;
  const char *path = dk_host_path(host, directory, buffer);
  if (path == NULL && directory != NULL) return host->error.code;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_ASSETS_PUBLISH, app);
  dk_add_required(&text, "directory", path);
  if (set == NULL) return dk_host_perform(host, &text);
  int failure = dk_host_request_object(host, &text, &dk_type_asset_set, &object);
  if (failure == 0) *set = object;
  return failure;
}

int darkroom_host_list_assets(darkroom_host *host, const char *app, const darkroom_host_asset_set **sets) {
  const void *list = NULL;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_ASSETS_LIST, app);
  int count = dk_host_request_list(host, &text, "sets", &dk_type_asset_set, &list);
  if (count >= 0) *sets = list;
  return count;
}

int darkroom_host_clear_assets(darkroom_host *host, const char *app) {
  struct dk_json result;
  bool is_cleared = false;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_ASSETS_CLEAR, app);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  if (!dk_json_boolean(dk_json_member(result, "cleared"), &is_cleared)) return dk_host_bad_result(host, "cleared");
  return is_cleared ? 1 : 0;
}

// MARK: Lock

int darkroom_host_get_lock_status(darkroom_host *host, const darkroom_host_lock_status **status) {
  const void *object = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_LOCK_STATUS);
  int failure = dk_host_request_object(host, &text, &dk_type_lock_status, &object);
  if (failure == 0) *status = object;
  return failure;
}

int darkroom_host_lock(darkroom_host *host) {
  struct dk_text text = dk_host_begin(host, DK_METHOD_LOCK_LOCK);
  return dk_host_perform(host, &text);
}

// MARK: Storage

/// A member of the limits on storage.
struct dk_limit {
  const char *name;
  size_t offset;
};

static const struct dk_limit dk_limits[] = {
    {"bytes", offsetof(darkroom_host_storage_limits, bytes)},
    {"files", offsetof(darkroom_host_storage_limits, files)},
    {"sessions", offsetof(darkroom_host_storage_limits, sessions)},
    {"reserve", offsetof(darkroom_host_storage_limits, reserve)},
};
#define DK_LIMITS (sizeof dk_limits / sizeof *dk_limits)
#define DK_LEAST_LIMITS DK_LEAST(darkroom_host_storage_limits, reserve)

/// Returns the address of a limit.
static int64_t *dk_limit_at(darkroom_host_storage_limits *limits, size_t index) {
  return (int64_t *)(void *)((char *)limits + dk_limits[index].offset);
}

/// Decodes limits to a structure of the caller. Returns 0 or a negative code.
static int dk_read_limits(darkroom_host *host, struct dk_json object, darkroom_host_storage_limits *limits) {
  darkroom_host_storage_limits found = DARKROOM_HOST_STORAGE_LIMITS_INIT;
  for (size_t index = 0; index < DK_LIMITS; index++) {
    struct dk_json value = dk_json_member(object, dk_limits[index].name);
    if (!dk_json_is_null(value) && !dk_json_integer(value, dk_limit_at(&found, index)))
      return dk_host_bad_result(host, dk_limits[index].name);
  }
  dk_copy_out(limits, &found, sizeof found);
  return 0;
}

int darkroom_host_get_storage_limits(darkroom_host *host, const char *app, darkroom_host_storage_limits *limits) {
  struct dk_json result;
  if (!dk_host_accepts(host, limits, DK_LEAST_LIMITS)) return DARKROOM_INVALID;
  struct dk_text text = dk_host_begin(host, DK_METHOD_STORAGE_LIMITS);
  dk_add_text(&text, "app", app);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  return failure != 0 ? failure : dk_read_limits(host, result, limits);
}

int darkroom_host_set_storage_limits(darkroom_host *host, const char *app,
                                     const darkroom_host_storage_limits *limits) {
  darkroom_host_storage_limits given = DARKROOM_HOST_STORAGE_LIMITS_INIT;
  if (!dk_host_accepts(host, limits, DK_LEAST_LIMITS)) return DARKROOM_INVALID;
  dk_copy_in(&given, limits, sizeof given);
  struct dk_text text = dk_host_begin(host, DK_METHOD_STORAGE_SET_LIMITS);
  dk_add_text(&text, "app", app);
  dk_add_name(&text, "limits");
  dk_put(&text, "{");
  for (size_t index = 0; index < DK_LIMITS; index++)
    if (*dk_limit_at(&given, index) >= 0) dk_add_integer(&text, dk_limits[index].name, *dk_limit_at(&given, index));
  dk_put(&text, "}");
  return dk_host_perform(host, &text);
}

int darkroom_host_get_storage_usage(darkroom_host *host, const char *app, const darkroom_host_storage_usage **usage,
                                    darkroom_host_storage_limits *limits) {
  struct dk_json result;
  struct dk_memory *memory = NULL;
  if (limits != NULL && !dk_host_accepts(host, limits, DK_LEAST_LIMITS)) return DARKROOM_INVALID;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_STORAGE_USAGE, app);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure == 0 && limits != NULL) failure = dk_read_limits(host, dk_json_member(result, "limits"), limits);
  if (failure != 0) return failure;
  const void *object = dk_host_decode(host, result, &dk_type_storage_usage, &memory);
  if (object == NULL) return host->error.code;
  *usage = object;
  return 0;
}

int darkroom_host_empty_trash(darkroom_host *host, int64_t *deleted) {
  struct dk_json result;
  int64_t count = 0;
  struct dk_text text = dk_host_begin(host, DK_METHOD_HOST_EMPTY_TRASH);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  if (!dk_json_integer(dk_json_member(result, "deleted"), &count)) return dk_host_bad_result(host, "deleted");
  if (deleted != NULL) *deleted = count;
  return 0;
}

// MARK: Machine

int darkroom_host_list_active_sessions(darkroom_host *host, const darkroom_host_active_session **sessions) {
  const void *list = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_HOST_SESSIONS);
  int count = dk_host_request_list(host, &text, "sessions", &dk_type_active_session, &list);
  if (count >= 0) *sessions = list;
  return count;
}

int darkroom_host_diagnose(darkroom_host *host, const char *const *policies, size_t count,
                           const darkroom_host_diagnosis **diagnosis) {
  const void *object = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_HOST_DIAGNOSE);
  if (!dk_add_paths(host, &text, "policies", policies, count, dk_host_path_or_name)) return host->error.code;
  int failure = dk_host_request_object(host, &text, &dk_type_diagnosis, &object);
  if (failure == 0) *diagnosis = object;
  return failure;
}

int darkroom_host_capture_frames(darkroom_host *host, const char *camera, const char *path, int frames,
                                 const darkroom_host_camera_value *values, size_t count,
                                 const darkroom_host_capture **capture) {
  char buffer[DK_PATH_BYTES];
  const void *object = NULL;
  const char *absolute = dk_host_path(host, path, buffer);
  if (absolute == NULL && path != NULL) return host->error.code;
  struct dk_text text = dk_host_begin(host, DK_METHOD_DEVICE_CAPTURE);
  dk_add_required(&text, "camera", camera);
  dk_add_required(&text, "path", absolute);
  if (frames != 0) dk_add_integer(&text, "frames", frames);
  if (count > 0) {
    dk_add_name(&text, "settings");
    dk_put(&text, "{");
    for (size_t index = 0; index < count; index++) {
      if (index > 0) dk_put(&text, ",");
      dk_put_string(&text, values[index].name);
      dk_put(&text, ":");
      dk_put_integer(&text, values[index].value);
    }
    dk_put(&text, "}");
  }
  if (capture == NULL) return dk_host_perform(host, &text);
  int failure = dk_host_request_object(host, &text, &dk_type_capture, &object);
  if (failure == 0) *capture = object;
  return failure;
}
