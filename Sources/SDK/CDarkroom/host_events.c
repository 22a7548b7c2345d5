// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// Decodes an event of a session. Returns 1, 0 for an event of a session that the program has closed, or a code.
static int dk_decode_session_event(darkroom_host *host, struct dk_json params, darkroom_host_event *event) {
  event->session = dk_host_find_session(host, dk_json_member(params, "session"));
  if (event->session == NULL) return 0;
  const struct dk_event_members *members =
      dk_host_decode(host, dk_json_member(params, "event"), &dk_type_event, &host->event);
  if (members == NULL) return host->error.code;
  // The constants have the order of the description.
  event->type = members->kind;
  event->accepts = members->accepts;
  event->sandbox = members->sandbox;
  event->refusal = members->refusal;
  event->outcome = members->outcome;
  event->message = members->message;
  return 1;
}

/// Decodes content into the memory of the event: an array, or one object.
static int dk_decode_content(darkroom_host *host, struct dk_json value, const darkroom_host_content **content) {
  struct dk_json element = {NULL, 0};
  const darkroom_host_content *last = NULL;
  if (value.text[0] != '[') {
    *content = dk_host_decode(host, value, &dk_type_content, &host->event);
    return *content == NULL ? host->error.code : 1;
  }
  while (dk_json_next(value, &element)) {
    const darkroom_host_content *next = dk_host_decode(host, element, &dk_type_content, &host->event);
    if (next == NULL) return host->error.code;
    if (last == NULL)
      *content = next;
    else
      ((darkroom_host_content *)(uintptr_t)last)->next = next;
    last = next;
  }
  return 1;
}

/// Decodes a change of content.
static int dk_decode_change(darkroom_host *host, struct dk_json params, darkroom_host_event *event) {
  struct dk_json initial = dk_json_at(params, "change.initial"), added = dk_json_at(params, "change.added");
  struct dk_json removed = dk_json_at(params, "change.removed");
  dk_json_integer(dk_json_member(params, "subscription"), &event->subscription);
  if (!dk_json_is_null(initial)) {
    event->type = DARKROOM_HOST_CONTENT_INITIAL;
    return dk_decode_content(host, initial, &event->content);
  }
  if (!dk_json_is_null(added)) {
    event->type = DARKROOM_HOST_CONTENT_ADDED;
    return dk_decode_content(host, added, &event->content);
  }
  if (!dk_json_is_null(removed)) {
    event->type = DARKROOM_HOST_CONTENT_REMOVED;
    event->removed = dk_keep_string(&host->event, removed);
  }
  return 1;
}

/// Decodes a notification. Returns 1, 0 if the program is not interested in it, or a code.
static int dk_decode_notification(darkroom_host *host, const struct dk_line *line, darkroom_host_event *event) {
  struct dk_json message = {line->text, line->length};
  struct dk_json method = dk_json_member(message, "method"), params = dk_json_member(message, "params");
  if (params.text == NULL || params.text[0] != '{') params = (struct dk_json){"{}", 2};
  int result = 1;
  if (dk_json_is(method, DK_NOTIFICATION_SESSION_EVENT)) {
    result = dk_decode_session_event(host, params, event);
  } else if (dk_json_is(method, DK_NOTIFICATION_CONTENT_CHANGED)) {
    result = dk_decode_change(host, params, event);
  } else if (dk_json_is(method, DK_NOTIFICATION_CONTENT_ENDED)) {
    event->type = DARKROOM_HOST_CONTENT_END;
    event->message = dk_keep_string(&host->event, dk_json_member(params, "message"));
    dk_json_integer(dk_json_member(params, "subscription"), &event->subscription);
  }
  if (result <= 0) return result;
  event->method = method.text[0] == '"' ? dk_keep_string(&host->event, method) : "";
  event->params = dk_keep_json(&host->event, params);
  if (event->method != NULL && event->params != NULL) return 1;
  return dk_host_fail(host, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for an event");
}

/// Returns whether an event of the library still applies: the program may have taken the frame or the sound already.
static bool dk_is_current(const struct dk_queued *queued) {
  darkroom_hosted_session *session = queued->session;
  if (queued->type == DARKROOM_HOST_FRAME) return session->viewfinder.has_arrived;
  if (queued->type != DARKROOM_HOST_SOUND) return true;
  session->sound.is_announced = false;
  return dk_sound_is_available(&session->sound);
}

/// Takes the next event of the queue. Returns 1, 0 if the queue is empty, or a code.
static int dk_host_dequeue(darkroom_host *host, darkroom_host_event *event) {
  int result = 0;
  while (result == 0 && host->first != NULL) {
    struct dk_queued *queued = host->first;
    host->first = queued->next;
    if (host->first == NULL) host->last = &host->first;
    *event = (darkroom_host_event)DARKROOM_HOST_EVENT_INIT;
    event->type = queued->type;
    event->session = queued->session;
    if (queued->line != NULL)
      result = dk_decode_notification(host, queued->line, event);
    else
      result = dk_is_current(queued) ? 1 : 0;
    free(queued->line);
    free(queued);
  }
  return result;
}

int darkroom_host_next(darkroom_host *host, darkroom_host_event *event, int timeout_ms) {
  if (!dk_host_accepts(host, event, DK_LEAST(darkroom_host_event, params))) return DARKROOM_INVALID;
  darkroom_host_event next = DARKROOM_HOST_EVENT_INIT;
  uint64_t deadline = dk_deadline(timeout_ms);
  dk_release(&host->event);
  int result = dk_host_dequeue(host, &next);
  while (result == 0) {
    int count = dk_host_wait_interruptibly(host, deadline);
    if (count == DARKROOM_INTERRUPTED) return count;
    // Messages before a failure precede it.
    result = dk_host_dequeue(host, &next);
    if (result == 0 && count != 1) return count;
  }
  if (result > 0) dk_copy_out(event, &next, sizeof next);
  return result;
}
