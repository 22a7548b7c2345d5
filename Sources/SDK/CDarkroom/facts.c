// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The first inherited descriptor; see sd_listen_fds(3).
#define DK_FIRST_DESCRIPTOR 3

/// Returns the member for the descriptor with a name, or NULL for an unknown name.
static int *dk_descriptor_named(struct dk_descriptors *found, const char *name, size_t length) {
  const struct {
    const char *name;
    int *descriptor;
  } known[] = {
      {"host-in", &found->host_in},         {"host-out", &found->host_out},
      {"frames", &found->frames},           {"frame-event", &found->frame_event},
      {"frame-done", &found->frame_done},   {"preview", &found->preview},
      {"preview-event", &found->preview_event}, {"sound", &found->sound},
      {"sound-event", &found->sound_event}, {"sound-done", &found->sound_done},
  };
  for (size_t index = 0; index < sizeof known / sizeof *known; index++)
    if (strlen(known[index].name) == length && memcmp(known[index].name, name, length) == 0)
      return known[index].descriptor;
  return NULL;
}

bool dk_find_descriptors(struct dk_descriptors *found) {
  *found = (struct dk_descriptors){-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  const char *process = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS"), *names = getenv("LISTEN_FDNAMES");
  // A child of the extension inherits the variables, but they are not meant for it.
  if (process == NULL || count == NULL || names == NULL || strtol(process, NULL, 10) != getpid()) return false;
  long end = DK_FIRST_DESCRIPTOR + strtol(count, NULL, 10);
  for (int number = DK_FIRST_DESCRIPTOR; number < end && *names != 0; number++) {
    size_t length = strcspn(names, ":");
    int *descriptor = dk_descriptor_named(found, names, length);
    if (descriptor != NULL) *descriptor = number;
    names += length + (names[length] == ':');
  }
  return found->host_in >= 0 && found->host_out >= 0;
}

/// Decodes a string member into memory of the session. Returns NULL if there is none.
static const char *dk_keep(darkroom_session *session, struct dk_json object, const char *name) {
  struct dk_json value = dk_json_member(object, name);
  if (dk_json_is_null(value) || session->fact_count == DK_FACTS) return NULL;
  char *text = malloc(value.length + 1);
  if (text == NULL) return NULL;
  if (dk_json_string(value, text, value.length + 1) < 0) {
    free(text);
    return NULL;
  }
  session->facts[session->fact_count++] = text;
  return text;
}

bool dk_store_context(darkroom_session *session, struct dk_json context) {
  char *copy = dk_copy_text(dk_json_is_null(context) ? (struct dk_json){"null", 4} : context);
  if (copy == NULL) return false;
  free(session->context);
  session->context = copy;
  session->info.context = copy;
  return true;
}

int dk_settle_context(darkroom_session *session, struct dk_json context) {
  // The host sent these changes before its reply. They would restore an older context.
  for (struct dk_message **place = &session->first; place != session->queue_at_reply; place = &(*place)->next)
    (*place)->is_outdated = true;
  if (dk_store_context(session, context)) return 0;
  return dk_fail(session, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for the context");
}

/// Reads a permission. An unknown value is 0.
static int dk_read_permission(struct dk_json object, const char *name) {
  static const char *const names[] = {"authorized", "denied", "notDetermined", "restricted", "limited", NULL};
  return dk_json_choice(dk_json_member(object, name), names);
}

void dk_read_permissions(struct dk_json object, darkroom_permissions *permissions) {
  permissions->camera = dk_read_permission(object, "camera");
  permissions->microphone = dk_read_permission(object, "microphone");
  permissions->photos = dk_read_permission(object, "photos");
  permissions->photos_add_only = dk_read_permission(object, "photosAddOnly");
  if (!dk_json_is_null(dk_json_member(object, "photosAddOnly"))) return;
  permissions->photos_add_only = permissions->photos == DARKROOM_LIMITED ? DARKROOM_AUTHORIZED : permissions->photos;
}

void dk_read_scene(struct dk_json scene, darkroom_info *info) {
  static const char *const phases[] = {"active", "inactive", "background", NULL};
  static const char *const orientations[] = {"portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight", NULL};
  info->phase = dk_json_choice(dk_json_member(scene, "phase"), phases);
  info->orientation = dk_json_choice(dk_json_member(scene, "orientation"), orientations);
}

int dk_read_lock_state(struct dk_json value) {
  static const char *const states[] = {"locked", "unlocked", NULL};
  return dk_json_choice(value, states);
}

/// Reads an integer from 0 to UINT32_MAX, or returns 0.
static uint32_t dk_read_count(struct dk_json value) {
  int64_t number = 0;
  return dk_json_integer(value, &number) && number >= 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

void dk_read_rate(struct dk_json array, uint32_t *numerator, uint32_t *denominator) {
  *numerator = dk_read_count(dk_json_at(array, "0"));
  *denominator = dk_read_count(dk_json_at(array, "1"));
}

/// Reads the members about the launch and the deadlines.
static void dk_read_launch(darkroom_session *session, struct dk_json params) {
  static const char *const surfaces[] = {"lockScreen", "elsewhere", "commandLine", NULL};
  darkroom_info *info = &session->info;
  struct dk_json deadlines = dk_json_member(params, "deadlines"), launch = dk_json_member(params, "launch");
  dk_json_number(dk_json_member(deadlines, "launch"), &info->launch_deadline);
  dk_json_number(dk_json_member(deadlines, "dismissal"), &info->dismissal_deadline);
  info->watchdog_deadline = -1;
  dk_json_number(dk_json_member(deadlines, "watchdog"), &info->watchdog_deadline);
  info->launch_surface = DARKROOM_COMMAND_LINE;
  if (!dk_json_is_null(launch)) info->launch_surface = dk_json_choice(dk_json_member(launch, "surface"), surfaces);
  info->launch_control = dk_keep(session, launch, "control");
}

/// Reads the members about the devices.
static void dk_read_devices(darkroom_session *session, struct dk_json params) {
  darkroom_info *info = &session->info;
  struct dk_json camera = dk_json_member(params, "camera"), microphone = dk_json_member(params, "microphone");
  info->camera_width = dk_read_count(dk_json_member(camera, "width"));
  info->camera_height = dk_read_count(dk_json_member(camera, "height"));
  dk_read_rate(dk_json_member(camera, "frameRate"), &info->frame_rate_numerator, &info->frame_rate_denominator);
  info->camera_name = dk_keep(session, camera, "name");
  info->camera_controls = dk_read_count(dk_json_member(params, "cameraControls"));
  info->sample_rate = dk_read_count(dk_json_member(microphone, "sampleRate"));
  info->channels = dk_read_count(dk_json_member(microphone, "channels"));
}

bool dk_read_facts(darkroom_session *session, struct dk_json params) {
  darkroom_info *info = &session->info;
  info->session_id = dk_keep(session, params, "sessionID");
  info->app = dk_keep(session, params, "app");
  info->extension = dk_keep(session, params, "extension");
  info->session_directory = dk_keep(session, params, "sessionDirectory");
  info->container_directory = dk_keep(session, params, "containerDirectory");
  info->extension_directory = dk_keep(session, params, "extensionDirectory");
  info->assets_directory = dk_keep(session, params, "assetsDirectory");
  info->library_directory = dk_keep(session, params, "libraryDirectory");
  if (info->library_directory == NULL) info->library_directory = "/library";
  info->lock_state = dk_read_lock_state(dk_json_member(params, "lockState"));
  dk_read_permissions(dk_json_member(params, "permissions"), &info->permissions);
  info->phase = DARKROOM_ACTIVE;
  info->orientation = DARKROOM_PORTRAIT;
  struct dk_json scene = dk_json_member(params, "scene");
  if (!dk_json_is_null(scene)) dk_read_scene(scene, info);
  dk_read_launch(session, params);
  dk_read_devices(session, params);
  return dk_store_context(session, dk_json_member(params, "appContext")) && info->session_directory != NULL;
}
