// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dk_text dk_host_begin(darkroom_host *host, const char *method) {
  struct dk_text text = {0};
  dk_put(&text, "{\"jsonrpc\":\"2.0\",\"id\":");
  dk_put_integer(&text, ++host->request);
  dk_put(&text, ",\"method\":");
  dk_put_string(&text, method);
  dk_put(&text, ",\"params\":{");
  return text;
}

/// Changes the use of the request that a function waits for.
static void dk_stop_waiting(darkroom_host *host, enum dk_use use) {
  for (struct dk_pending *pending = host->pending; pending != NULL; pending = pending->next)
    if (pending->use == DK_USE_AWAITED) pending->use = use;
}

int dk_host_finish(darkroom_host *host, struct dk_text *text, enum dk_use late, struct dk_json *result) {
  free(host->reply);
  free(host->error_data);
  host->reply = NULL;
  host->error_data = NULL;
  uint64_t deadline = dk_deadline(host->timeout);
  int failure = dk_host_post(host, text, DK_USE_AWAITED, NULL);
  while (failure == 0 && host->reply == NULL) {
    int count = dk_host_wait(host, deadline);
    if (count < 0) failure = count;
    if (count == 0 && host->reply == NULL)
      failure = dk_host_fail(host, DARKROOM_TIMED_OUT, 0, "the server sent no response before the timeout");
  }
  dk_stop_waiting(host, late);
  if (host->reply == NULL) return failure;
  struct dk_json reply = {host->reply->text, host->reply->length};
  struct dk_json error = dk_json_member(reply, "error");
  if (!dk_json_is_null(error)) return dk_host_store_error(host, error);
  struct dk_json value = dk_json_member(reply, "result");
  if (value.text == NULL || value.text[0] != '{') return dk_host_bad_result(host, "result");
  if (result != NULL) *result = value;
  return 0;
}

int dk_host_finish_with_file(darkroom_host *host, struct dk_text *text, struct dk_json *result, int *file) {
  host->expects_file = true;
  host->reply_file = -1;
  int failure = dk_host_finish(host, text, DK_USE_LATE_FILE, result);
  host->expects_file = false;
  *file = host->reply_file;
  if (failure == 0 && *file < 0) return dk_host_fail(host, DARKROOM_PROTOCOL_ERROR, 0, "the server passed no file");
  if (failure == 0) return 0;
  if (*file >= 0) close(*file);
  return failure;
}

int dk_host_perform(darkroom_host *host, struct dk_text *text) {
  return dk_host_finish(host, text, DK_USE_NONE, NULL);
}

bool dk_host_enqueue(darkroom_host *host, int type, darkroom_hosted_session *session, struct dk_line *line) {
  struct dk_queued *queued = malloc(sizeof *queued);
  if (queued == NULL) {
    free(line);
    return false;
  }
  *queued = (struct dk_queued){NULL, type, session, line};
  *host->last = queued;
  host->last = &queued->next;
  return true;
}

void dk_announce_result(darkroom_hosted_session *session) {
  if (session->is_announced || session->response == NULL) return;
  if (session->viewfinder.is_requested || session->sound.is_requested) return;
  struct dk_json response = {session->response->text, session->response->length};
  // A session that has failed sends no last notification.
  if (!session->has_ended && dk_json_is_null(dk_json_member(response, "error"))) return;
  session->is_announced = dk_host_enqueue(session->host, DARKROOM_HOST_FINISHED, session, NULL);
}

bool dk_host_notify(darkroom_host *host, struct dk_line *line) {
  struct dk_json message = {line->text, line->length}, params = dk_json_member(message, "params");
  bool is_end = dk_json_is(dk_json_member(message, "method"), DK_NOTIFICATION_SESSION_EVENT) &&
                dk_json_is(dk_json_at(params, "event.kind"), "ended");
  darkroom_hosted_session *session = is_end ? dk_host_find_session(host, dk_json_member(params, "session")) : NULL;
  if (!dk_host_enqueue(host, DARKROOM_HOST_OTHER, NULL, line)) return false;
  if (session == NULL) return true;
  session->has_ended = true;
  dk_announce_result(session);
  return true;
}

/// Keeps the session of a launch whose function has returned, so that dk_host_follow() dismisses the session.
static void dk_keep_orphan(darkroom_host *host, struct dk_json response) {
  struct dk_json id = dk_json_member(dk_json_member(response, "result"), "session");
  darkroom_hosted_session *session = id.text == NULL ? NULL : dk_host_add_session(host, id);
  if (session != NULL) session->is_orphan = true;
}

/// Takes the file of a response. Returns -1 if the response is an error or carries no file.
static int dk_take_file(darkroom_host *host, struct dk_json response) {
  return dk_json_is_null(dk_json_member(response, "error")) ? dk_host_take_descriptor(host) : -1;
}

/// Closes the file of a response whose function has returned, so that no later response takes the file.
static void dk_close_late_file(darkroom_host *host, struct dk_json response) {
  int file = dk_take_file(host, response);
  if (file >= 0) close(file);
}

void dk_host_use(darkroom_host *host, const struct dk_pending *pending, struct dk_line *line) {
  darkroom_hosted_session *session = pending->session;
  struct dk_json response = {line->text, line->length};
  switch (pending->use) {
    case DK_USE_AWAITED:
      host->reply = line;
      if (host->expects_file) host->reply_file = dk_take_file(host, response);
      return;
    case DK_USE_RESULT:
      if (session == NULL) break;
      session->response = line;
      dk_announce_result(session);
      return;
    case DK_USE_VIEWFINDER: dk_viewfinder_opened(host, session, response); break;
    case DK_USE_FRAME:
      if (session != NULL) dk_viewfinder_advanced(session, response);
      break;
    case DK_USE_SOUND: dk_sound_opened(host, session, response); break;
    case DK_USE_BLOCK:
      if (session != NULL) dk_sound_advanced(session, response);
      break;
    case DK_USE_LATE_FILE: dk_close_late_file(host, response); break;
    case DK_USE_LATE_LAUNCH: dk_keep_orphan(host, response); break;
    case DK_USE_NONE: break;
  }
  free(line);
}

/// Dismisses and frees a session that no function has returned.
static void dk_dismiss_orphan(darkroom_hosted_session *session) {
  struct dk_text text = dk_hosted_begin(session, DK_METHOD_SESSION_DISMISS);
  dk_host_post(session->host, &text, DK_USE_NONE, NULL);
  dk_host_remove_session(session);
}

bool dk_host_follow(darkroom_host *host) {
  bool has_sent = false;
  // A failure means that the connection is closed, which the next read reports.
  darkroom_error error = host->error;
  for (darkroom_hosted_session *session = host->sessions, *next; session != NULL; session = next) {
    next = session->next;
    has_sent = has_sent || session->viewfinder.should_request || session->sound.should_request || session->is_orphan;
    if (session->viewfinder.should_request) dk_viewfinder_request(session);
    if (session->sound.should_request) dk_sound_request(session);
    if (session->is_orphan) dk_dismiss_orphan(session);
  }
  host->error = error;
  return has_sent;
}

int darkroom_host_call(darkroom_host *host, const char *method, const char *params, const char **result) {
  struct dk_json value = {NULL, 0};
  struct dk_text text = {0};
  if (params == NULL) params = "{}";
  if (params[strspn(params, " \t\r\n")] != '{' || !dk_put_json(&text, params)) {
    dk_discard(&text);
    return dk_host_fail(host, DARKROOM_INVALID, 0, "the parameters are not a JSON object");
  }
  struct dk_text message = dk_host_begin(host, method);
  // The braces of the object are those of the message.
  if (text.failed)
    message.failed = true;
  else
    dk_put_bytes(&message, text.bytes + 1, text.length - 2);
  dk_discard(&text);
  int failure = dk_host_finish(host, &message, DK_USE_NONE, &value);
  if (failure != 0 || result == NULL) return failure;
  free(host->reply_text);
  host->reply_text = dk_copy_text(value);
  if (host->reply_text == NULL) return dk_host_fail(host, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for the result");
  *result = host->reply_text;
  return 0;
}
