// SPDX-License-Identifier: Apache-2.0
#ifndef DARKROOM_MANAGE_H
#define DARKROOM_MANAGE_H

/// @file
/// The part of the C library for hosts that manages a machine: the lock, storage, shared assets, the photo library, the
/// session log, running sessions, and diagnoses. The conventions of darkroom-host.h apply.

#include "darkroom-host.h"

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Apps

/// Opens an app. An app that watches its mailbox receives a delivery; otherwise, its program is started.
///
/// @param activity The user activity as JSON, an object with at least `activityType`; NULL for none.
/// @param delivery Receives the ID of the delivery, a UUID; may be NULL if `size` is 0.
/// @param size The size of the buffer in bytes; 37 suffice.
DARKROOM_API int darkroom_host_open_app(darkroom_host *host, const char *app, const char *activity, char *delivery,
                                        size_t size);

/// A condition of a launch from the lock screen.
typedef enum darkroom_host_condition {
  DARKROOM_HOST_CONDITION_INSTALLED = 1,
  /// The user has unlocked the machine since it started.
  DARKROOM_HOST_CONDITION_UNLOCKED_ONCE,
  DARKROOM_HOST_CONDITION_ALLOWED_BY_ADMINISTRATOR,
  /// The user permits the devices of the extension.
  DARKROOM_HOST_CONDITION_PERMITTED,
  DARKROOM_HOST_CONDITION_CAMERA_PRESENT,
  /// No other session is in the foreground.
  DARKROOM_HOST_CONDITION_FOREGROUND_FREE,
  DARKROOM_HOST_CONDITION_SPACE_AVAILABLE,
  /// The extension can open its app.
  DARKROOM_HOST_CONDITION_APP_OPENABLE
} darkroom_host_condition;

/// A checked condition.
typedef struct darkroom_host_check {
  const struct darkroom_host_check *next;
  /// A #darkroom_host_condition.
  int condition;
  /// The reason why the condition is not met, with the fix; NULL if the condition is met.
  const char *message;
} darkroom_host_check;

/// Checks each condition of a launch from the lock screen.
///
/// @param camera The camera of the launch; NULL for none.
/// @param checks Receives the conditions in the order in which a launch checks them; may be NULL.
/// @return 1 if a press of a control would launch the extension, 0 otherwise, or a negative code.
DARKROOM_API int darkroom_host_check_readiness(darkroom_host *host, const char *extension, const char *camera,
                                               const darkroom_host_check **checks);

// MARK: Shared assets

/// A set of files that an app shares read-only with its extensions.
typedef struct darkroom_host_asset_set {
  const struct darkroom_host_asset_set *next;
  /// The generation; a newer set has a higher number. The number of files, and their size in bytes.
  int64_t generation, files, bytes;
  /// The time of the publication, in milliseconds since 1970.
  int64_t published_at;
  /// Whether new sessions use the set, and whether a session uses it.
  bool current, used;
} darkroom_host_asset_set;

/// Shares a copy of a directory with the extensions of an app. New sessions see the files in `/assets`; running sessions
/// keep the previous files.
///
/// @param set Receives the new set; may be NULL.
DARKROOM_API int darkroom_host_publish_assets(darkroom_host *host, const char *app, const char *directory,
                                              const darkroom_host_asset_set **set);

/// Lists the sets that an app shares, newest first. An older set exists while a session uses it.
///
/// @return The number of sets, or a negative code.
DARKROOM_API int darkroom_host_list_assets(darkroom_host *host, const char *app, const darkroom_host_asset_set **sets);

/// Stops sharing files with the extensions of an app.
///
/// @return 1 if files were shared before, 0 if none were, or a negative code.
DARKROOM_API int darkroom_host_clear_assets(darkroom_host *host, const char *app);

// MARK: Lock

/// The report of a source of the lock state.
typedef struct darkroom_host_lock_report {
  const struct darkroom_host_lock_report *next;
  /// A #darkroom_lock_state.
  int state;
  /// The reason for the state, with the fix if the source is unavailable.
  const char *reason;
} darkroom_host_lock_report;

/// The lock of the state directory.
typedef struct darkroom_host_lock_status {
  /// The combined #darkroom_lock_state: locked if a source reports that, or is unavailable.
  int state;
  /// Whether the user has unlocked the machine since it started. Before that, no control launches an extension.
  bool was_unlocked;
  /// The reports. The first source is the lock of darkroom_host_lock().
  const darkroom_host_lock_report *reports;
} darkroom_host_lock_status;

/// Returns the state of the lock of the state directory, which sessions of a server with `--lock-state standard` follow.
///
/// darkroom_host_get_lock_state() returns the state that the sessions of this server follow.
DARKROOM_API int darkroom_host_get_lock_status(darkroom_host *host, const darkroom_host_lock_status **status);

/// Locks Darkroom until the user unlocks it, for example with `darkroom unlock`.
DARKROOM_API int darkroom_host_lock(darkroom_host *host);

// MARK: Storage

/// Limits on the content that an app has not taken; negative for no limit.
typedef struct darkroom_host_storage_limits {
  /// The size of the structure in bytes.
  size_t size;
  /// The maximum size in bytes, the maximum number of files, and the maximum number of sessions.
  int64_t bytes, files, sessions;
  /// The space in bytes of the file system that sessions leave free.
  int64_t reserve;
} darkroom_host_storage_limits;

/// The initial value of a #darkroom_host_storage_limits: no limits.
#ifdef __cplusplus
#define DARKROOM_HOST_STORAGE_LIMITS_INIT {sizeof(darkroom_host_storage_limits), -1, -1, -1, -1}
#else
#define DARKROOM_HOST_STORAGE_LIMITS_INIT \
  {.size = sizeof(darkroom_host_storage_limits), .bytes = -1, .files = -1, .sessions = -1, .reserve = -1}
#endif

/// The storage that the sessions of an app use.
typedef struct darkroom_host_storage_usage {
  /// The size in bytes of the content that the app has not taken, its number of files, and its number of sessions.
  int64_t bytes, files, sessions;
  /// The free space of the file system in bytes.
  int64_t free;
  /// The reason why no session of the app can start, with the fix; NULL if sessions can start.
  const char *refusal;
} darkroom_host_storage_usage;

/// Returns limits.
///
/// @param app The ID of an app; NULL for the limits of every app.
/// @param limits Receives the limits.
DARKROOM_API int darkroom_host_get_storage_limits(darkroom_host *host, const char *app,
                                                  darkroom_host_storage_limits *limits);

/// Replaces limits. Running sessions keep the limits with which they started.
///
/// @param app The ID of an app; NULL for the limits of every app.
DARKROOM_API int darkroom_host_set_storage_limits(darkroom_host *host, const char *app,
                                                  const darkroom_host_storage_limits *limits);

/// Returns the storage that the sessions of an app use.
///
/// @param limits Receives the limits that apply to the app; may be NULL.
DARKROOM_API int darkroom_host_get_storage_usage(darkroom_host *host, const char *app,
                                                 const darkroom_host_storage_usage **usage,
                                                 darkroom_host_storage_limits *limits);

/// Deletes the items in the trash.
///
/// @param deleted Receives the number of deleted items; may be NULL.
DARKROOM_API int darkroom_host_empty_trash(darkroom_host *host, int64_t *deleted);

// MARK: Photo library

/// A photo, video or other capture in the photo library.
typedef struct darkroom_host_asset {
  const struct darkroom_host_asset *next;
  /// The ID, the name for users, and the path of the file.
  const char *id, *title, *path;
  /// `image`, `video`, `audio` or `other`, derived from the file name.
  const char *media_type;
  /// The ID of the app that added the asset, and the ID of the session, or NULL if the asset was imported.
  const char *app, *session;
  /// The size of the file in bytes, and the time of the addition in milliseconds since 1970.
  int64_t bytes, created_at;
} darkroom_host_asset;

/// A difference between the index of the photo library and a file.
typedef struct darkroom_host_photo_difference {
  const struct darkroom_host_photo_difference *next;
  const darkroom_host_asset *asset;
  /// Whether the file is missing. Otherwise, the file was changed after its addition.
  bool missing;
} darkroom_host_photo_difference;

/// Lists assets, newest first.
///
/// @param app The ID of the app that added the assets; NULL for all apps.
/// @param session The ID of the session that added the assets; NULL for all sessions and imports.
/// @param limit The maximum number of assets, at most 1000; 0 for 100.
/// @return The number of assets, or a negative code.
DARKROOM_API int darkroom_host_list_photos(darkroom_host *host, const char *app, const char *session, int limit,
                                           const darkroom_host_asset **assets);

/// Adds copies of files for an app.
///
/// @param files The paths of the files, which stay in place, and their number.
/// @param assets Receives the new assets; may be NULL.
/// @param failures Receives the messages about files that were not added; may be NULL.
/// @return The number of new assets, or a negative code.
DARKROOM_API int darkroom_host_add_photos(darkroom_host *host, const char *app, const char *const *files, size_t count,
                                          const darkroom_host_asset **assets, const darkroom_host_text **failures);

/// Copies an asset into a directory.
///
/// @param path Receives the path of the copy; may be NULL if `size` is 0.
DARKROOM_API int darkroom_host_export_photo(darkroom_host *host, const char *asset, const char *directory, char *path,
                                            size_t size);

/// Deletes an asset and its file.
DARKROOM_API int darkroom_host_delete_photo(darkroom_host *host, const char *asset);

/// Replaces the assets that an app sees if its permission for photos is limited. If an asset does not exist, nothing is
/// changed.
///
/// @param assets The IDs of the assets, and their number.
DARKROOM_API int darkroom_host_select_photos(darkroom_host *host, const char *app, const char *const *assets,
                                             size_t count);

/// Lists the IDs of the assets that an app sees if its permission for photos is limited, oldest first.
///
/// @return The number of assets, or a negative code.
DARKROOM_API int darkroom_host_list_selected_photos(darkroom_host *host, const char *app,
                                                    const darkroom_host_text **assets);

/// Compares the index of the photo library with its files. Nothing is changed.
///
/// @param differences Receives at most 100 differences; may be NULL.
/// @return The number of all differences, or a negative code.
DARKROOM_API int darkroom_host_verify_photos(darkroom_host *host, const darkroom_host_photo_difference **differences);

/// Finishes or undoes changes of the photo library that a crash interrupted.
///
/// @return The number of these changes, or a negative code.
DARKROOM_API int darkroom_host_recover_photos(darkroom_host *host);

// MARK: Session log

/// Returns the log entry of a session with its record, as JSON in the format of `darkroom inspect`.
///
/// @param record Receives the text, valid until the next call with the connection, or NULL.
/// @return 1, 0 if the log has no entry of the session, or a negative code.
DARKROOM_API int darkroom_host_get_record(darkroom_host *host, const char *session, const char **record);

/// Returns the head of the session log: the sequence number and the digest of the newest entry. A copy that is stored
/// elsewhere reveals later changes of all entries to darkroom_host_verify_log().
///
/// @param head Receives the head.
/// @param size The size of the buffer in bytes; 129 suffice.
/// @return 1, 0 if the log is empty, or a negative code.
DARKROOM_API int darkroom_host_get_log_head(darkroom_host *host, char *head, size_t size);

/// The comparison of the session log with a head.
typedef enum darkroom_host_head_comparison {
  DARKROOM_HOST_HEAD_FOUND = 1,
  /// The log ends before the head.
  DARKROOM_HOST_HEAD_TRUNCATED,
  /// The log has another entry at the position of the head.
  DARKROOM_HOST_HEAD_REPLACED
} darkroom_host_head_comparison;

/// The result of a verification of the session log.
typedef struct darkroom_host_log_verification {
  /// The number of valid entries from the start.
  int64_t entries;
  /// The head of the valid entries, or NULL if there are none.
  const char *head;
  /// The number of the first invalid line and its defect; 0 and NULL if all lines are valid.
  int64_t invalid_line;
  const char *invalid_reason;
  /// A #darkroom_host_head_comparison; 0 if no head was given.
  int comparison;
  /// The paths of published session records that were changed after they were logged.
  const darkroom_host_text *changed_records;
} darkroom_host_log_verification;

/// Verifies that no entry of the session log was changed, removed or moved.
///
/// @param head A head of an earlier call; NULL for none.
/// @param verification Receives the result; may be NULL.
/// @return 1 if the entries, the published session records and the head are valid, 0 otherwise, or a negative code.
DARKROOM_API int darkroom_host_verify_log(darkroom_host *host, const char *head,
                                          const darkroom_host_log_verification **verification);

/// A use of a camera or microphone by a session.
typedef struct darkroom_host_device_use {
  const struct darkroom_host_device_use *next;
  /// #DARKROOM_HOST_RESOURCE_CAMERA or #DARKROOM_HOST_RESOURCE_MICROPHONE.
  int resource;
  /// Whether the session is running.
  bool running;
  /// The name of the device, the ID of the session, the ID of the app, and the ID of the extension.
  const char *device, *session, *app, *extension;
  /// The time of the first frame or sound, in milliseconds since 1970.
  int64_t started_at;
  /// The duration; 0 if the use has not ended, or if the host was killed.
  int64_t milliseconds;
} darkroom_host_device_use;

/// Lists the uses of cameras and microphones, newest first. Running sessions, and sessions whose host was killed, are
/// included.
///
/// @param app The ID of an app; NULL for all apps.
/// @param resource #DARKROOM_HOST_RESOURCE_CAMERA, #DARKROOM_HOST_RESOURCE_MICROPHONE, or 0 for both.
/// @param limit The maximum number of uses, at most 1000; 0 for 100.
/// @param failures Receives the messages about lines of the log that cannot be read; may be NULL.
/// @return The number of uses, or a negative code.
DARKROOM_API int darkroom_host_list_device_uses(darkroom_host *host, const char *app, int resource, int limit,
                                                const darkroom_host_device_use **uses,
                                                const darkroom_host_text **failures);

// MARK: Machine

/// A running session of a host of the state directory.
typedef struct darkroom_host_active_session {
  const struct darkroom_host_active_session *next;
  /// The ID of the session, the ID of the app, and the ID of the extension.
  const char *session, *app, *extension;
  /// The PID of the host, and the start of the session or of its prewarming in milliseconds since 1970.
  int64_t process, started_at;
  /// Whether the extension is prewarmed and was not launched yet.
  bool prewarmed;
} darkroom_host_active_session;

/// Lists the running sessions of all hosts of the state directory, oldest first.
///
/// darkroom_host_list_sessions() lists those of this server.
///
/// @return The number of sessions, or a negative code.
DARKROOM_API int darkroom_host_list_active_sessions(darkroom_host *host, const darkroom_host_active_session **sessions);

/// The degree to which sessions are possible.
typedef enum darkroom_host_support {
  /// Every layer of the sandbox is enforced.
  DARKROOM_HOST_SUPPORT_FULL = 1,
  /// A layer is degraded or missing.
  DARKROOM_HOST_SUPPORT_DEGRADED,
  /// No session runs.
  DARKROOM_HOST_SUPPORT_UNAVAILABLE
} darkroom_host_support;

/// The state of a property of the machine.
typedef enum darkroom_host_property_state {
  DARKROOM_HOST_PROPERTY_PRESENT = 1,
  /// The property is as required, and there is advice about it.
  DARKROOM_HOST_PROPERTY_ADVICE,
  /// Sessions fail because of the property.
  DARKROOM_HOST_PROPERTY_MISSING
} darkroom_host_property_state;

/// A fix for a finding.
typedef struct darkroom_host_fix {
  const struct darkroom_host_fix *next;
  /// The effect of the fix, including side effects.
  const char *sentence;
  /// The shell commands, in order.
  const darkroom_host_text *commands;
  /// The path and the content of a file that is written before the commands are run; NULL if there is none.
  const char *file_path, *file_text;
} darkroom_host_fix;

/// A property of the machine that affects all policies.
typedef struct darkroom_host_property {
  const struct darkroom_host_property *next;
  /// The name of the property, and the observation.
  const char *name, *detail;
  /// A #darkroom_host_property_state.
  int state;
  /// The fixes, best first.
  const darkroom_host_fix *fixes;
} darkroom_host_property;

/// A layer of the sandbox of a policy.
typedef struct darkroom_host_layer_report {
  const struct darkroom_host_layer_report *next;
  /// The name of the layer, and the observation or the reason why the layer is not fully enforced.
  const char *name, *detail;
  /// A #darkroom_host_layer_state.
  int state;
  /// The fixes, best first.
  const darkroom_host_fix *fixes;
} darkroom_host_layer_report;

/// The result of running a program in a sandbox under a policy.
typedef struct darkroom_host_trial {
  const struct darkroom_host_trial *next;
  /// The name of the policy.
  const char *policy;
  /// A #darkroom_host_support.
  int status;
  const darkroom_host_layer_report *layers;
  /// Notes that do not concern a layer.
  const darkroom_host_text *remarks;
} darkroom_host_trial;

/// The sandbox layers that the machine supports.
typedef struct darkroom_host_diagnosis {
  /// The worst #darkroom_host_support.
  int status;
  const darkroom_host_property *properties;
  /// The results for the shipped policies, and then for the given ones.
  const darkroom_host_trial *trials;
} darkroom_host_diagnosis;

/// Examines which sandbox layers the machine and the user support, as `darkroom doctor` does.
///
/// The examination takes seconds. The server performs one at a time; another request returns #DARKROOM_HOST_ERROR_BUSY.
///
/// @param policies The names of policies, or paths with a slash, to examine in addition, and their number, at most 16.
DARKROOM_API int darkroom_host_diagnose(darkroom_host *host, const char *const *policies, size_t count,
                                        const darkroom_host_diagnosis **diagnosis);

/// A value of a camera setting.
typedef struct darkroom_host_camera_value {
  /// The name of the setting, such as `zoom-absolute`.
  const char *name;
  int64_t value;
} darkroom_host_camera_value;

/// A file with frames of a camera.
typedef struct darkroom_host_capture {
  /// The path of the file.
  const char *path;
  /// The size in bytes, the number of captured frames, the width and the height in pixels. An image is the last frame.
  int64_t bytes, frames, width, height;
  /// The number of frames per second.
  double frame_rate;
} darkroom_host_capture;

/// Saves frames of a camera to a file, without an extension. The file is replaced when it is complete.
///
/// The request takes as long as the frames; see darkroom_host_set_timeout().
///
/// @param camera The camera in the form of `darkroom run --camera`, such as `/dev/video0`.
/// @param path The path of an image (`.jpg`, `.png`) or of a YUV4MPEG2 video (`.y4m`).
/// @param frames The number of frames, at most 1000000; 0 for 30 frames of a video, and 5 frames of an image.
/// @param values The values of settings, which the camera keeps after the capture, and their number.
/// @param capture Receives the result; may be NULL.
DARKROOM_API int darkroom_host_capture_frames(darkroom_host *host, const char *camera, const char *path, int frames,
                                              const darkroom_host_camera_value *values, size_t count,
                                              const darkroom_host_capture **capture);

#ifdef __cplusplus
}
#endif

#endif
