// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

int dk_fail(darkroom_session *session, int code, int system_error, const char *text) {
  dk_describe(&session->error, code, system_error, text);
  return code;
}

bool dk_accepts(darkroom_session *session, const void *structure, size_t least) {
  if (dk_has_size(structure, least)) return true;
  dk_fail(session, DARKROOM_INVALID, 0, "a structure is missing or was not initialized with its DARKROOM_…_INIT");
  return false;
}

/// Answers `session/start` with the version, or with the error that no version is supported.
static int dk_answer_start(darkroom_session *session, struct dk_json id, bool is_supported) {
  struct dk_text text = {0};
  dk_put(&text, "{\"jsonrpc\":\"2.0\",\"id\":");
  dk_put_bytes(&text, id.text, id.length);
  dk_put(&text, is_supported ? ",\"result\":{\"protocolVersion\":1}}"
                             : ",\"error\":{\"code\":4004,\"message\":\"only version 1 is supported\","
                               "\"data\":{\"spoken\":[1]}}}");
  int failure = dk_send(session, &text);
  if (failure != 0 || is_supported) return failure;
  return dk_fail(session, DARKROOM_UNSUPPORTED_VERSION, 0, "the host does not support version 1 of the protocol");
}

/// Returns whether the host supports version 1.
static bool dk_supports_version(struct dk_json versions) {
  struct dk_json version = {NULL, 0};
  int64_t number;
  while (dk_json_next(versions, &version))
    if (dk_json_integer(version, &number) && number == 1) return true;
  return false;
}

/// Reads the first message and answers it.
static int dk_start(darkroom_session *session) {
  struct dk_message *message = dk_receive_first(session);
  if (message == NULL) return session->error.code;
  struct dk_json object = {message->text, message->length};
  bool is_valid = dk_json_valid(message->text, message->length);
  struct dk_json id = is_valid ? dk_json_member(object, "id") : (struct dk_json){NULL, 0};
  int result;
  if (!is_valid || dk_json_is_null(id) || !dk_json_is(dk_json_member(object, "method"), "session/start")) {
    result = dk_fail(session, DARKROOM_PROTOCOL_ERROR, 0, "the host's first message is not session/start");
  } else {
    struct dk_json params = dk_json_member(object, "params");
    result = dk_answer_start(session, id, dk_supports_version(dk_json_member(params, "protocolVersions")));
    if (result == 0 && !dk_read_facts(session, params))
      result = dk_fail(session, DARKROOM_PROTOCOL_ERROR, 0, "session/start has no session directory");
  }
  free(message);
  return result;
}

/// Creates the descriptors of darkroom_descriptor() and darkroom_interrupt(), and sets FD_CLOEXEC on the inherited
/// descriptors.
static int dk_watch(darkroom_session *session) {
  const struct dk_descriptors *found = &session->descriptors;
  const int all[] = {found->host_in, found->frame_event,   found->sound_event, found->host_out,   found->frames,
                     found->preview, found->preview_event, found->frame_done,  found->sound_done, found->sound};
  session->poll = epoll_create1(EPOLL_CLOEXEC);
  if (session->poll < 0) return dk_fail(session, DARKROOM_SYSTEM_ERROR, errno, "epoll_create1(2) failed");
  session->interruption = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (session->interruption < 0) return dk_fail(session, DARKROOM_SYSTEM_ERROR, errno, "eventfd(2) failed");
  for (size_t index = 0; index < sizeof all / sizeof *all; index++) {
    if (all[index] < 0) continue;
    fcntl(all[index], F_SETFD, FD_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    if (index < 3 && epoll_ctl(session->poll, EPOLL_CTL_ADD, all[index], &event) != 0)
      return dk_fail(session, DARKROOM_SYSTEM_ERROR, errno, "epoll_ctl(2) failed");
  }
  return 0;
}

/// Maps the rings of the session's devices.
static int dk_map_rings(darkroom_session *session) {
  const struct dk_descriptors *found = &session->descriptors;
  int result = 0;
  if (found->frames >= 0 && found->frame_event >= 0 && found->frame_done >= 0)
    result = dk_map_frames(&session->error, found->frames, PROT_READ, &session->camera);
  if (result == 0 && found->preview >= 0 && found->preview_event >= 0)
    result = dk_map_frames(&session->error, found->preview, PROT_READ | PROT_WRITE, &session->viewfinder);
  if (result == 0 && found->sound >= 0 && found->sound_event >= 0 && found->sound_done >= 0)
    result = dk_map_sound(&session->error, found->sound, &session->microphone);
  session->info.has_viewfinder = session->viewfinder.memory != NULL;
  return result;
}

/// Opens the session in an empty structure.
static int dk_open(darkroom_session *session) {
  session->last = &session->first;
  session->poll = session->interruption = -1;
  session->timeout = 30000;
  session->error.size = sizeof session->error;
  if (!dk_find_descriptors(&session->descriptors))
    return dk_fail(session, DARKROOM_NO_HOST, 0,
                   "the program must be started by a host; install its app and use 'darkroom run'");
  session->inbox = malloc(DK_MESSAGE_BYTES + 1);
  if (session->inbox == NULL) return dk_fail(session, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a session");
  int result = dk_watch(session);
  if (result == 0) result = dk_start(session);
  return result == 0 ? dk_map_rings(session) : result;
}

darkroom_session *darkroom_open(darkroom_error *error) {
  darkroom_session *session = calloc(1, sizeof *session);
  if (session == NULL) {
    darkroom_error failure = {sizeof failure, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a session"};
    if (dk_has_size(error, DK_LEAST(darkroom_error, text))) dk_copy_out(error, &failure, sizeof failure);
    return NULL;
  }
  if (dk_open(session) == 0) return session;
  if (dk_has_size(error, DK_LEAST(darkroom_error, text))) dk_copy_out(error, &session->error, sizeof session->error);
  darkroom_close(session);
  return NULL;
}

void darkroom_close(darkroom_session *session) {
  if (session == NULL) return;
  const struct dk_descriptors *found = &session->descriptors;
  const int all[] = {found->host_in,    found->host_out, found->frames,        found->frame_event,
                     found->frame_done, found->preview,  found->preview_event, found->sound,
                     found->sound_event, found->sound_done, session->poll,         session->interruption};
  for (size_t index = 0; index < sizeof all / sizeof *all; index++)
    if (all[index] >= 0) close(all[index]);
  dk_unmap(&session->camera);
  dk_unmap(&session->viewfinder);
  dk_unmap(&session->microphone);
  while (dk_dequeue(session) != NULL) continue;
  for (size_t index = 0; index < session->fact_count; index++) free(session->facts[index]);
  free(session->context);
  free(session->inbox);
  free(session->event_text);
  free(session->reply);
  free(session->reply_text);
  free(session->error_data);
  free(session->samples);
  free(session);
}

const darkroom_info *darkroom_get_info(const darkroom_session *session) { return &session->info; }

const darkroom_error *darkroom_last_error(const darkroom_session *session) { return &session->error; }

const char *darkroom_last_error_data(const darkroom_session *session) { return session->error_data; }

void darkroom_set_timeout(darkroom_session *session, int milliseconds) { session->timeout = milliseconds; }

int darkroom_descriptor(const darkroom_session *session) { return session->poll; }

void darkroom_interrupt(darkroom_session *session) { dk_increment(session->interruption); }

/// Waits for messages, frames and sound. Returns a positive number if there may be an event or after a signal, 0 at the
/// timeout, or a code.
static int dk_wait(darkroom_session *session, int timeout) {
  const struct dk_descriptors *found = &session->descriptors;
  struct pollfd watched[] = {{.fd = found->host_in, .events = POLLIN},
                             {.fd = found->frame_event, .events = POLLIN},
                             {.fd = found->sound_event, .events = POLLIN},
                             {.fd = session->interruption, .events = POLLIN}};
  // After a line that is not a message, the pipe may stay open.
  if (session->is_closed) return dk_receive(session);
  int count = poll(watched, sizeof watched / sizeof *watched, timeout);
  if (count < 0) return errno == EINTR ? 1 : dk_fail(session, DARKROOM_SYSTEM_ERROR, errno, "poll(2) failed");
  if (watched[3].revents & POLLIN) {
    dk_drain(session->interruption);
    return dk_fail(session, DARKROOM_INTERRUPTED, 0, "the wait was interrupted");
  }
  if (watched[1].revents & POLLIN) dk_drain(found->frame_event);
  if (watched[2].revents & POLLIN) dk_drain(found->sound_event);
  if (watched[0].revents != 0) {
    int result = dk_receive(session);
    if (result != 0 && session->first == NULL) return result;
  }
  return count;
}

int darkroom_next(darkroom_session *session, darkroom_event *event, int timeout_ms) {
  if (!dk_accepts(session, event, DK_LEAST(darkroom_event, params)))
    return DARKROOM_INVALID;
  darkroom_event next = DARKROOM_EVENT_INIT;
  uint64_t deadline = dk_deadline(timeout_ms);
  int result = darkroom_finish_frame(session);
  while (result == 0) {
    if (session->is_dismissed) return dk_fail(session, DARKROOM_ENDED, 0, "the session was dismissed");
    const struct dk_message *message = dk_dequeue(session);
    if (message != NULL) {
      result = dk_decode_event(session, message, &next);
      continue;
    }
    // Messages that have arrived precede frames, because the grace period of a dismissal is short.
    bool is_ready = dk_is_pending(&session->camera) || dk_is_pending(&session->microphone);
    int count = dk_wait(session, is_ready ? 0 : dk_remaining(deadline));
    if (count < 0) return count;
    if (session->first != NULL) continue;
    if (dk_announce(&session->camera)) {
      next.type = DARKROOM_FRAME;
      result = 1;
    } else if (dk_announce(&session->microphone)) {
      next.type = DARKROOM_SOUND;
      result = 1;
    } else if (count == 0) {
      return 0;
    }
  }
  if (result > 0) dk_copy_out(event, &next, sizeof next);
  return result;
}
