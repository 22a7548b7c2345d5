// SPDX-License-Identifier: Apache-2.0
#include "messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The first inherited descriptor (sd_listen_fds(3)).
#define FIRST_DESCRIPTOR 3

/// Stores a descriptor with a known name.
static void store_descriptor(struct descriptors *found, const char *name, int descriptor) {
  if (strcmp(name, "host-in") == 0) found->host_in = descriptor;
  if (strcmp(name, "host-out") == 0) found->host_out = descriptor;
  if (strcmp(name, "frames") == 0) found->frames = descriptor;
  if (strcmp(name, "frame-event") == 0) found->frame_event = descriptor;
  if (strcmp(name, "frame-done") == 0) found->frame_done = descriptor;
}

bool find_descriptors(struct descriptors *found) {
  *found = (struct descriptors){-1, -1, -1, -1, -1};
  const char *process = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS"), *names = getenv("LISTEN_FDNAMES");
  if (process == NULL || count == NULL || names == NULL || atol(process) != getpid()) return false;
  char *copy = strdup(names);
  if (copy == NULL) return false;
  char *rest = copy, *name;
  int end = FIRST_DESCRIPTOR + atoi(count);
  for (int next = FIRST_DESCRIPTOR; next < end && (name = strsep(&rest, ":")) != NULL; next++) store_descriptor(found, name, next);
  free(copy);
  return found->host_in >= 0 && found->host_out >= 0;
}

bool read_messages(int descriptor, struct inbox *inbox, void (*handle)(struct json line, void *context),
                   void *context) {
  ssize_t count = read(descriptor, inbox->bytes + inbox->length, sizeof inbox->bytes - inbox->length);
  if (count < 0) return errno == EINTR;
  if (count == 0) return false;
  inbox->length += (size_t)count;
  char *begin = inbox->bytes, *end = inbox->bytes + inbox->length, *newline;
  while ((newline = memchr(begin, '\n', (size_t)(end - begin))) != NULL) {
    *newline = 0;
    handle((struct json){begin, (size_t)(newline - begin)}, context);
    begin = newline + 1;
  }
  inbox->length = (size_t)(end - begin);
  memmove(inbox->bytes, begin, inbox->length);
  return inbox->length < sizeof inbox->bytes;
}

void send_message(int descriptor, const char *format, ...) {
  char line[4096];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line - 1, format, values);
  va_end(values);
  if (length < 0 || (size_t)length >= sizeof line - 1) return;
  line[length++] = '\n';
  for (int sent = 0; sent < length;) {
    ssize_t count = write(descriptor, line + sent, (size_t)(length - sent));
    // An exited host is detected by the end of its messages.
    if (count < 0 && errno != EINTR) return;
    if (count > 0) sent += (int)count;
  }
}
