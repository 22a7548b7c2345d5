// SPDX-License-Identifier: Apache-2.0
#include "host.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// The initial size of the inbox.
#define DK_INBOX_BYTES 16384
/// The number of descriptors for which a read has space; more descriptors are closed by the kernel.
#define DK_DESCRIPTORS_OF_READ 16

int dk_host_take_descriptor(darkroom_host *host) {
  if (host->descriptor_count == 0) return -1;
  int descriptor = host->descriptors[0];
  host->descriptor_count--;
  memmove(host->descriptors, host->descriptors + 1, host->descriptor_count * sizeof *host->descriptors);
  return descriptor;
}

/// Marks the connection as unusable.
static int dk_host_reject(darkroom_host *host, const char *text) {
  host->is_closed = true;
  return dk_host_fail(host, DARKROOM_PROTOCOL_ERROR, 0, text);
}

/// Removes the request with an ID from the list of requests without a response. Returns false if there is none.
static bool dk_take_pending(darkroom_host *host, int64_t id, struct dk_pending *found) {
  for (struct dk_pending **link = &host->pending; *link != NULL; link = &(*link)->next) {
    if ((*link)->id != id) continue;
    struct dk_pending *removed = *link;
    *found = *removed;
    *link = removed->next;
    free(removed);
    return true;
  }
  return false;
}

/// Copies a line into new memory. Returns NULL without memory.
static struct dk_line *dk_copy_line_of(struct dk_json object) {
  struct dk_line *line = malloc(sizeof *line + object.length + 1);
  if (line == NULL) return NULL;
  line->length = object.length;
  memcpy(line->text, object.text, object.length);
  line->text[object.length] = 0;
  return line;
}

/// Queues a notification, or uses a response.
static int dk_host_handle(darkroom_host *host, const char *text, size_t length) {
  if (!dk_json_valid(text, length) || memchr(text, 0, length) != NULL)
    return dk_host_reject(host, "the server sent a line that is not JSON");
  struct dk_json object = {text, length};
  while (object.length > 0 && strchr(" \t\r", object.text[0]) != NULL) object.text++, object.length--;
  if (!dk_json_is(dk_json_member(object, "jsonrpc"), "2.0"))
    return dk_host_reject(host, "the server sent JSON that is not a message");
  struct dk_json method = dk_json_member(object, "method"), id = dk_json_member(object, "id");
  struct dk_pending pending = {.use = DK_USE_NONE};
  int64_t number = 0;
  bool is_notification = method.text != NULL && dk_json_is_null(id);
  // Servers send no requests, and only responses to requests.
  bool is_response = method.text == NULL && dk_json_integer(id, &number) && dk_take_pending(host, number, &pending);
  if (!is_notification && !is_response) return 0;
  struct dk_line *line = dk_copy_line_of(object);
  if (line != NULL && is_response) dk_host_use(host, &pending, line);
  if (line == NULL || (is_notification && !dk_host_notify(host, line)))
    return dk_host_fail(host, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a message");
  return 0;
}

/// Stores received descriptors, and closes those that exceed the limit.
static void dk_store_descriptors(darkroom_host *host, struct msghdr *message) {
  for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL; header = CMSG_NXTHDR(message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < count; index++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + index * sizeof descriptor, sizeof descriptor);
      if (host->descriptor_count < DK_DESCRIPTORS)
        host->descriptors[host->descriptor_count++] = descriptor;
      else
        close(descriptor);
    }
  }
}

/// Makes space in the inbox.
static int dk_grow_inbox(darkroom_host *host) {
  if (host->inbox_length < host->inbox_capacity) return 0;
  size_t capacity = host->inbox_capacity == 0 ? DK_INBOX_BYTES : host->inbox_capacity * 2;
  if (capacity > DK_LINE_BYTES + 1) capacity = DK_LINE_BYTES + 1;
  char *larger = realloc(host->inbox, capacity);
  if (larger == NULL) return dk_host_fail(host, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a message");
  host->inbox = larger;
  host->inbox_capacity = capacity;
  return 0;
}

/// Reads once. Returns 0 even if no bytes are available.
static int dk_host_fill(darkroom_host *host) {
  if (host->is_closed) return dk_host_fail(host, DARKROOM_ENDED, 0, "the server has closed the connection");
  int failure = dk_grow_inbox(host);
  if (failure != 0) return failure;
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * DK_DESCRIPTORS_OF_READ)];
  } control;
  struct iovec part = {host->inbox + host->inbox_length, host->inbox_capacity - host->inbox_length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control};
  message.msg_controllen = sizeof control;
  ssize_t count = recvmsg(host->socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count > 0) {
    dk_store_descriptors(host, &message);
    host->inbox_length += (size_t)count;
    return 0;
  }
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
  int reason = count == 0 || errno == ECONNRESET ? 0 : errno;
  host->is_closed = true;
  if (reason != 0) return dk_host_fail(host, DARKROOM_SYSTEM_ERROR, reason, "messages of the server cannot be read");
  return dk_host_fail(host, DARKROOM_ENDED, 0, "the server has closed the connection");
}

int dk_host_receive(darkroom_host *host) {
  int result = dk_host_fill(host);
  if (result != 0) return result;
  size_t begin = 0;
  while (result == 0) {
    size_t scanned = begin > host->inbox_scanned ? begin : host->inbox_scanned;
    char *newline = memchr(host->inbox + scanned, '\n', host->inbox_length - scanned);
    if (newline == NULL) break;
    result = dk_host_handle(host, host->inbox + begin, (size_t)(newline - host->inbox) - begin);
    begin = (size_t)(newline - host->inbox) + 1;
  }
  host->inbox_length -= begin;
  memmove(host->inbox, host->inbox + begin, host->inbox_length);
  host->inbox_scanned = host->inbox_length;
  if (result == 0 && host->inbox_length > DK_LINE_BYTES)
    return dk_host_reject(host, "the server sent a line that is too long");
  // A descriptor arrives with the first byte of its line, so the remaining descriptors belong to lines without a use.
  while (host->inbox_length == 0 && host->descriptor_count > 0) close(dk_host_take_descriptor(host));
  return result;
}

/// Waits for input, or for a counter unless `interruption` is -1.
static int dk_host_poll(darkroom_host *host, uint64_t deadline, int interruption) {
  struct pollfd watched[] = {{.fd = host->socket, .events = POLLIN}, {.fd = interruption, .events = POLLIN}};
  // Responses may have arrived while a message was sent, so the caller must check its condition again.
  if (dk_host_follow(host)) return 1;
  int count = host->is_closed ? 1 : poll(watched, 2, dk_remaining(deadline));
  if (count < 0) return errno == EINTR ? 1 : dk_host_fail(host, DARKROOM_SYSTEM_ERROR, errno, "poll(2) failed");
  if (count == 0) return 0;
  if (watched[1].revents & POLLIN) {
    dk_drain(interruption);
    return dk_host_fail(host, DARKROOM_INTERRUPTED, 0, "the wait was interrupted");
  }
  int failure = dk_host_receive(host);
  if (failure != 0) return failure;
  dk_host_follow(host);
  return 1;
}

int dk_host_wait(darkroom_host *host, uint64_t deadline) { return dk_host_poll(host, deadline, -1); }

int dk_host_wait_interruptibly(darkroom_host *host, uint64_t deadline) {
  return dk_host_poll(host, deadline, host->interruption);
}

/// Sends all bytes. Receives meanwhile, because the server may wait until its messages are received.
static int dk_host_send(darkroom_host *host, const char *bytes, size_t length) {
  uint64_t deadline = dk_deadline(host->timeout);
  while (length > 0) {
    if (host->is_closed) return dk_host_fail(host, DARKROOM_ENDED, 0, "the server has closed the connection");
    ssize_t count = send(host->socket, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0) {
      bytes += count;
      length -= (size_t)count;
      continue;
    }
    // Messages that the server has sent before can still be received.
    if (errno == EPIPE || errno == ECONNRESET)
      return dk_host_fail(host, DARKROOM_ENDED, 0, "the server has closed the connection");
    if (errno != EAGAIN && errno != EINTR) {
      host->is_closed = true;
      return dk_host_fail(host, DARKROOM_SYSTEM_ERROR, errno, "the message cannot be sent");
    }
    struct pollfd watched = {.fd = host->socket, .events = POLLIN | POLLOUT};
    int ready = poll(&watched, 1, dk_remaining(deadline));
    if (ready == 0) {
      // A part of the line may have been sent.
      host->is_closed = true;
      return dk_host_fail(host, DARKROOM_TIMED_OUT, 0, "the server did not read the message before the timeout");
    }
    int failure = ready > 0 && (watched.revents & POLLIN) != 0 ? dk_host_receive(host) : 0;
    if (failure != 0) return failure;
  }
  return 0;
}

/// Checks a line, and sends it.
static int dk_host_send_line(darkroom_host *host, struct dk_text *text) {
  dk_put(text, "}}");
  size_t length = text->length;
  if (!text->failed && length > DK_LINE_BYTES)
    return dk_host_fail(host, DARKROOM_TOO_LARGE, 0, "the message is longer than 1048576 bytes");
  dk_put(text, "\n");
  if (text->failed) return dk_host_fail(host, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a message");
  // The members are valid; only the nesting of the caller's JSON can exceed the limit.
  if (!dk_json_valid(text->bytes, length))
    return dk_host_fail(host, DARKROOM_TOO_LARGE, 0, "the message has more than 32 levels of arrays and objects");
  return dk_host_send(host, text->bytes, text->length);
}

int dk_host_post(darkroom_host *host, struct dk_text *text, enum dk_use use, darkroom_hosted_session *session) {
  struct dk_pending *pending = malloc(sizeof *pending);
  int result;
  if (pending == NULL) {
    result = dk_host_fail(host, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a message");
  } else {
    *pending = (struct dk_pending){host->pending, host->request, use, session};
    host->pending = pending;
    result = dk_host_send_line(host, text);
    struct dk_pending unsent;
    if (result != 0) dk_take_pending(host, host->request, &unsent);
  }
  dk_discard(text);
  return result;
}
