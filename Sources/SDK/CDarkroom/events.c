// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// Reads the parameters of a notification into an event. Returns false without memory.
typedef bool dk_decoder(darkroom_session *session, struct dk_json params, darkroom_event *event);

/// Decodes a string member into the text of the current event, which has space for two values of the message.
static const char *dk_event_string(char *buffer, struct dk_json params, const char *name, size_t size) {
  return dk_json_string(dk_json_member(params, name), buffer, size) < 0 ? NULL : buffer;
}

/// Reads an integer member, or returns 0.
static int64_t dk_event_integer(struct dk_json params, const char *name) {
  int64_t number = 0;
  return dk_json_integer(dk_json_member(params, name), &number) ? number : 0;
}

static bool dk_decode_capture(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  static const char *const buttons[] = {"primary", "secondary", NULL};
  static const char *const phases[] = {"began", "ended", "cancelled", NULL};
  static const char *const sources[] = {"button", "remote", NULL};
  static const int types[] = {DARKROOM_OTHER, DARKROOM_PRESSED, DARKROOM_RELEASED, DARKROOM_CANCELLED};
  struct dk_json source = dk_json_member(params, "source");
  (void)session;
  event->type = types[dk_json_choice(dk_json_member(params, "phase"), phases)];
  event->button = dk_json_choice(dk_json_member(params, "button"), buttons);
  event->source = dk_json_is_null(source) ? DARKROOM_BUTTON : dk_json_choice(source, sources);
  event->id = dk_event_integer(params, "id");
  return true;
}

static bool dk_decode_pointer(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  static const char *const phases[] = {"began", "moved", "ended", "cancelled", NULL};
  (void)session;
  event->phase = dk_json_choice(dk_json_member(params, "phase"), phases);
  // A later version of the protocol may have further phases.
  if (event->phase != 0) event->type = DARKROOM_POINTER;
  event->contact = (int)dk_event_integer(params, "contact");
  dk_json_number(dk_json_member(params, "x"), &event->x);
  dk_json_number(dk_json_member(params, "y"), &event->y);
  event->timestamp = (uint64_t)dk_event_integer(params, "time");
  return true;
}

static bool dk_decode_dismissal(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  static const char *const reasons[] = {"person", "host", "deadline", "lock", "applicationOpened", "idle", "powerKey", NULL};
  event->type = DARKROOM_DISMISSAL;
  event->reason = dk_json_choice(dk_json_member(params, "reason"), reasons);
  dk_json_number(dk_json_member(params, "grace"), &event->seconds);
  session->is_dismissed = true;
  return true;
}

static bool dk_decode_context(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  event->type = DARKROOM_CONTEXT_CHANGE;
  return session->current->is_outdated || dk_store_context(session, dk_json_member(params, "context"));
}

/// Reads the end of a device.
static void dk_decode_end(struct dk_json params, darkroom_event *event) {
  static const char *const reasons[] = {"finished", "unplugged", "failed", "formatChanged", NULL};
  event->reason = dk_json_choice(dk_json_member(params, "reason"), reasons);
}

static bool dk_decode_camera_end(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  event->type = DARKROOM_CAMERA_END;
  dk_decode_end(params, event);
  event->message = dk_event_string(session->event_text, params, "message", params.length);
  return true;
}

static bool dk_decode_microphone_end(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  event->type = DARKROOM_MICROPHONE_END;
  dk_decode_end(params, event);
  event->message = dk_event_string(session->event_text, params, "message", params.length);
  return true;
}

static bool dk_decode_camera_change(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  event->type = DARKROOM_CAMERA_CHANGE;
  dk_read_rate(dk_json_member(params, "frameRate"), &event->frame_rate_numerator, &event->frame_rate_denominator);
  session->info.frame_rate_numerator = event->frame_rate_numerator;
  session->info.frame_rate_denominator = event->frame_rate_denominator;
  return true;
}

static bool dk_decode_scene(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  event->type = DARKROOM_SCENE_CHANGE;
  dk_read_scene(params, &session->info);
  return true;
}

static bool dk_decode_lock(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  event->type = DARKROOM_LOCK_CHANGE;
  session->info.lock_state = dk_read_lock_state(dk_json_member(params, "lockState"));
  return true;
}

static bool dk_decode_permissions(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  event->type = DARKROOM_PERMISSION_CHANGE;
  dk_read_permissions(dk_json_member(params, "permissions"), &session->info.permissions);
  return true;
}

static bool dk_decode_requirements(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  static const char *const names[] = {"camera", "viewfinder", "captureEvents", NULL};
  struct dk_json missing = dk_json_member(params, "missing"), element = {NULL, 0};
  (void)session;
  event->type = DARKROOM_REQUIREMENTS_CHANGE;
  while (dk_json_next(missing, &element)) {
    int position = dk_json_choice(element, names);
    if (position > 0) event->missing |= 1U << (position - 1);
  }
  if (!dk_json_number(dk_json_member(params, "seconds"), &event->seconds)) event->seconds = -1;
  return true;
}

static bool dk_decode_photos(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  (void)session;
  (void)params;
  event->type = DARKROOM_PHOTOS_CHANGE;
  return true;
}

static bool dk_decode_control(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  event->type = DARKROOM_CONTROL_CHANGE;
  event->revision = dk_event_integer(params, "revision");
  event->control = dk_event_string(session->event_text, params, "control", params.length);
  dk_json_number(dk_json_member(params, "value"), &event->value);
  return true;
}

static bool dk_decode_appearance(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  static const char *const appearances[] = {"inactive", "active", "fullscreen", NULL};
  (void)session;
  event->type = DARKROOM_CONTROLS_APPEARANCE;
  event->appearance = dk_json_choice(dk_json_member(params, "appearance"), appearances);
  return true;
}

static bool dk_decode_room(darkroom_session *session, struct dk_json params, darkroom_event *event) {
  static const char *const states[] = {"free", "low", "full", NULL};
  static const char *const reasons[] = {"session", "app", "disk", NULL};
  (void)session;
  event->type = DARKROOM_ROOM_CHANGE;
  event->room = dk_json_choice(dk_json_member(params, "state"), states);
  event->reason = dk_json_choice(dk_json_member(params, "reason"), reasons);
  event->bytes = dk_event_integer(params, "bytes");
  event->files = dk_event_integer(params, "files");
  return true;
}

/// The notifications of the host.
static const struct {
  const char *method;
  dk_decoder *decode;
} dk_notifications[] = {
    {"capture/event", dk_decode_capture},          {"session/willDismiss", dk_decode_dismissal},
    {"context/changed", dk_decode_context},        {"camera/ended", dk_decode_camera_end},
    {"camera/changed", dk_decode_camera_change},   {"scene/changed", dk_decode_scene},
    {"lock/changed", dk_decode_lock},              {"permission/changed", dk_decode_permissions},
    {"requirements/changed", dk_decode_requirements}, {"photos/changed", dk_decode_photos},
    {"controls/changed", dk_decode_control},       {"controls/appearance", dk_decode_appearance},
    {"content/room", dk_decode_room},              {"microphone/ended", dk_decode_microphone_end},
    {"pointer/event", dk_decode_pointer},
};

int dk_decode_event(darkroom_session *session, const struct dk_message *message, darkroom_event *event) {
  struct dk_json object = {message->text, message->length};
  struct dk_json method = dk_json_member(object, "method"), params = dk_json_member(object, "params");
  if (params.text == NULL || params.text[0] != '{') params = (struct dk_json){"{}", 2};
  // The text of a member, the method, the parameters, and a zero byte after each.
  free(session->event_text);
  session->event_text = malloc(2 * params.length + method.length + 3);
  if (session->event_text == NULL) return dk_fail(session, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for an event");
  char *name = session->event_text + params.length + 1, *text = name + method.length + 1;
  event->method = dk_json_string(method, name, method.length + 1) < 0 ? "" : name;
  memcpy(text, params.text, params.length);
  text[params.length] = 0;
  event->params = text;
  for (size_t index = 0; index < sizeof dk_notifications / sizeof *dk_notifications; index++) {
    if (strcmp(event->method, dk_notifications[index].method) != 0) continue;
    if (!dk_notifications[index].decode(session, params, event))
      return dk_fail(session, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for an event");
  }
  return 1;
}
