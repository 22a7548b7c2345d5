// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// Copies a line into a new message.
static struct dk_message *dk_copy_line(const char *line, size_t length) {
  struct dk_message *message = malloc(sizeof *message + length + 1);
  if (message == NULL) return NULL;
  message->next = NULL;
  message->length = length;
  message->is_outdated = false;
  memcpy(message->text, line, length);
  message->text[length] = 0;
  return message;
}

/// Answers a request of the host whose method this version does not know.
static int dk_refuse(darkroom_session *session, struct dk_json id) {
  struct dk_text text = {0};
  dk_put(&text, "{\"jsonrpc\":\"2.0\",\"id\":");
  dk_put_bytes(&text, id.text, id.length);
  dk_put(&text, ",\"error\":{\"code\":-32601,\"message\":\"unknown method\"}}");
  return dk_send(session, &text);
}

/// Marks the connection as unusable after a line that is not a message.
static int dk_reject(darkroom_session *session, const char *text) {
  session->is_closed = true;
  return dk_fail(session, DARKROOM_PROTOCOL_ERROR, 0, text);
}

/// Queues a notification, stores the awaited reply, and refuses a request.
static int dk_sort(darkroom_session *session, const char *line, size_t length) {
  if (!dk_json_valid(line, length) || memchr(line, 0, length) != NULL)
    return dk_reject(session, "the host sent a line that is not JSON");
  struct dk_json object = {line, length};
  while (object.length > 0 && (object.text[0] == ' ' || object.text[0] == '\t' || object.text[0] == '\r'))
    object.text++, object.length--;
  if (!dk_json_is(dk_json_member(object, "jsonrpc"), "2.0"))
    return dk_reject(session, "the host sent JSON that is not a message");
  struct dk_json method = dk_json_member(object, "method"), id = dk_json_member(object, "id");
  if (method.text != NULL && !dk_json_is_null(id)) return dk_refuse(session, id);
  int64_t number;
  bool is_awaited = session->reply == NULL && dk_json_integer(id, &number) && number == session->request;
  if (method.text == NULL && !is_awaited) return 0;
  struct dk_message *message = dk_copy_line(object.text, object.length);
  if (message == NULL) return dk_fail(session, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a message");
  if (method.text == NULL) {
    session->reply = message;
    session->queue_at_reply = session->last;
  } else {
    *session->last = message;
    session->last = &message->next;
  }
  return 0;
}

/// Reads from the host once.
static int dk_fill(darkroom_session *session) {
  if (session->is_closed) return dk_fail(session, DARKROOM_ENDED, 0, "the host has closed the connection");
  ssize_t count = read(session->descriptors.host_in, session->inbox + session->inbox_length,
                       DK_MESSAGE_BYTES + 1 - session->inbox_length);
  if (count < 0) {
    if (errno == EINTR || errno == EAGAIN) return 0;
    return dk_fail(session, DARKROOM_SYSTEM_ERROR, errno, "messages of the host cannot be read");
  }
  if (count == 0) {
    session->is_closed = true;
    return dk_fail(session, DARKROOM_ENDED, 0, "the host has closed the connection");
  }
  session->inbox_length += (size_t)count;
  return 0;
}

/// Removes bytes from the start of the inbox.
static void dk_consume(darkroom_session *session, size_t count) {
  session->inbox_length -= count;
  memmove(session->inbox, session->inbox + count, session->inbox_length);
}

/// Handles all complete lines of the inbox.
static int dk_sort_lines(darkroom_session *session) {
  size_t begin = 0;
  int result = 0;
  while (result == 0) {
    char *line = session->inbox + begin;
    char *newline = memchr(line, '\n', session->inbox_length - begin);
    if (newline == NULL) break;
    result = dk_sort(session, line, (size_t)(newline - line));
    begin = (size_t)(newline - session->inbox) + 1;
  }
  dk_consume(session, begin);
  if (result == 0 && session->inbox_length > DK_MESSAGE_BYTES)
    return dk_reject(session, "the host sent a line that is too long");
  return result;
}

int dk_receive(darkroom_session *session) {
  int result = dk_fill(session);
  return result != 0 ? result : dk_sort_lines(session);
}

struct dk_message *dk_receive_first(darkroom_session *session) {
  for (;;) {
    char *newline = memchr(session->inbox, '\n', session->inbox_length);
    if (newline != NULL) {
      size_t length = (size_t)(newline - session->inbox);
      struct dk_message *message = dk_copy_line(session->inbox, length);
      dk_consume(session, length + 1);
      if (message == NULL) dk_fail(session, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a message");
      return message;
    }
    if (session->inbox_length > DK_MESSAGE_BYTES) {
      dk_reject(session, "the host sent a line that is too long");
      return NULL;
    }
    if (dk_fill(session) != 0) return NULL;
  }
}

struct dk_message *dk_dequeue(darkroom_session *session) {
  free(session->current);
  session->current = session->first;
  if (session->first != NULL) {
    session->first = session->first->next;
    if (session->first == NULL) session->last = &session->first;
  }
  return session->current;
}

/// Writes all bytes.
static int dk_write(int descriptor, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(descriptor, bytes, length);
    if (count > 0) {
      bytes += count;
      length -= (size_t)count;
    } else if (count < 0 && errno == EAGAIN) {
      struct pollfd watched = {.fd = descriptor, .events = POLLOUT};
      poll(&watched, 1, -1);
    } else if (count < 0 && errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

/// Writes all bytes without raising SIGPIPE, and without a change of the process's signal actions.
static int dk_write_quietly(int descriptor, const char *bytes, size_t length) {
  sigset_t pipe_signal, previous, pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &previous);
  int failure = dk_write(descriptor, bytes, length);
  if (failure == EPIPE && !was_pending) {
    // SIGPIPE is sent to the writing thread, so the pending signal is that of this write.
    struct timespec now = {0, 0};
    while (sigtimedwait(&pipe_signal, NULL, &now) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  return failure;
}

int dk_send(darkroom_session *session, struct dk_text *text) {
  int result = 0;
  if (text->failed) {
    result = dk_fail(session, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a message");
  } else if (text->length > DK_MESSAGE_BYTES) {
    result = dk_fail(session, DARKROOM_TOO_LARGE, 0, "the message is longer than 65536 bytes");
  } else if (!dk_json_valid(text->bytes, text->length)) {
    // The arguments are valid; only their nesting can exceed the limit.
    result = dk_fail(session, DARKROOM_TOO_LARGE, 0, "the message has more than 32 levels of arrays and objects");
  } else {
    dk_put(text, "\n");
    int failure =
        text->failed ? ENOMEM : dk_write_quietly(session->descriptors.host_out, text->bytes, text->length);
    if (failure == EPIPE)
      result = dk_fail(session, DARKROOM_ENDED, 0, "the host has closed the connection");
    else if (failure != 0)
      result = dk_fail(session, DARKROOM_SYSTEM_ERROR, failure, "the message cannot be sent");
  }
  dk_discard(text);
  return result;
}

struct dk_text dk_begin(darkroom_session *session, const char *method, bool is_request) {
  struct dk_text text = {0};
  dk_put(&text, "{\"jsonrpc\":\"2.0\"");
  if (is_request) {
    dk_put(&text, ",\"id\":");
    dk_put_integer(&text, ++session->request);
  }
  dk_put(&text, ",\"method\":");
  dk_put_string(&text, method);
  dk_put(&text, ",\"params\":");
  return text;
}

/// Stores the error of a reply.
static int dk_store_error(darkroom_session *session, struct dk_json error) {
  int64_t code = 0;
  char sentence[sizeof session->error.text * 4];
  if (!dk_json_integer(dk_json_member(error, "code"), &code) || code == 0 || code > INT32_MAX || code < -INT32_MAX)
    return dk_bad_reply(session, "error.code");
  struct dk_json data = dk_json_member(error, "data");
  if (data.text != NULL) session->error_data = dk_copy_text(data);
  if (dk_json_string(dk_json_member(error, "message"), sentence, sizeof sentence) < 0)
    snprintf(sentence, sizeof sentence, "the host refused the request (%d)", (int)code);
  return dk_fail(session, code > 0 ? -(int)code : (int)code, 0, sentence);
}

int dk_finish(darkroom_session *session, struct dk_text *text, int timeout, struct dk_json *result) {
  free(session->reply);
  free(session->error_data);
  session->reply = NULL;
  session->error_data = NULL;
  int failure = dk_send(session, text);
  uint64_t deadline = dk_deadline(timeout);
  while (failure == 0 && session->reply == NULL) {
    struct pollfd watched = {.fd = session->descriptors.host_in, .events = POLLIN};
    int count = session->is_closed ? 1 : poll(&watched, 1, dk_remaining(deadline));
    if (count > 0) failure = dk_receive(session);
    if (count < 0 && errno != EINTR) failure = dk_fail(session, DARKROOM_SYSTEM_ERROR, errno, "poll(2) failed");
    if (count == 0) failure = dk_fail(session, DARKROOM_TIMED_OUT, 0, "the host sent no reply before the timeout");
  }
  if (session->reply == NULL) {
    // A late reply has an ID that is not awaited.
    session->request++;
    return failure;
  }
  struct dk_json reply = {session->reply->text, session->reply->length};
  struct dk_json error = dk_json_member(reply, "error");
  if (!dk_json_is_null(error)) return dk_store_error(session, error);
  struct dk_json value = dk_json_member(reply, "result");
  if (value.text == NULL || value.text[0] != '{') return dk_bad_reply(session, "result");
  if (result != NULL) *result = value;
  return 0;
}

int dk_call(darkroom_session *session, const char *method, struct dk_json *result) {
  struct dk_text text = dk_begin(session, method, true);
  dk_put(&text, "{}}");
  return dk_finish(session, &text, session->timeout, result);
}

int dk_bad_reply(darkroom_session *session, const char *field) {
  char sentence[96];
  snprintf(sentence, sizeof sentence, "the host sent a reply without a valid '%s'", field);
  return dk_fail(session, DARKROOM_PROTOCOL_ERROR, 0, sentence);
}

int dk_bad_json(darkroom_session *session, struct dk_text *text) {
  dk_discard(text);
  return dk_fail(session, DARKROOM_INVALID, 0, "the argument is not valid JSON");
}

/// Adds the parameters of any message.
static bool dk_put_params(struct dk_text *text, const char *params) {
  if (params == NULL) params = "{}";
  if (params[strspn(params, " \t\r\n")] != '{' || !dk_put_json(text, params)) return false;
  dk_put(text, "}");
  return true;
}

int darkroom_request(darkroom_session *session, const char *method, const char *params, const char **result) {
  struct dk_json value;
  struct dk_text text = dk_begin(session, method, true);
  if (!dk_put_params(&text, params)) return dk_bad_json(session, &text);
  int failure = dk_finish(session, &text, session->timeout, &value);
  if (failure != 0 || result == NULL) return failure;
  free(session->reply_text);
  session->reply_text = dk_copy_text(value);
  if (session->reply_text == NULL) return dk_fail(session, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for the result");
  *result = session->reply_text;
  return 0;
}

int darkroom_notify(darkroom_session *session, const char *method, const char *params) {
  struct dk_text text = dk_begin(session, method, false);
  if (!dk_put_params(&text, params)) return dk_bad_json(session, &text);
  return dk_send(session, &text);
}
