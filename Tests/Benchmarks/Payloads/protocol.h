// SPDX-License-Identifier: Apache-2.0
//
// As much of the extension protocol as the measurements need. A message of the host's never ends within a read here.
#pragma once
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The descriptor of that name (sd_listen_fds(3)), or -1.
static int find(const char *name) {
  const char *rest = getenv("LISTEN_FDNAMES");
  size_t length = strlen(name);
  for (int number = 3; rest != NULL && *rest != 0; number++) {
    if (strncmp(rest, name, length) == 0 && (rest[length] == ':' || rest[length] == 0)) return number;
    rest = strchr(rest, ':');
    if (rest != NULL) rest++;
  }
  return -1;
}

/// What has been read and not been looked at.
static char inbox[1 << 17];
static size_t inbox_length;

/// The next line of the host's, without its newline; NULL at the end.
static char *next_line(int in) {
  static char line[1 << 17];
  for (;;) {
    char *end = memchr(inbox, '\n', inbox_length);
    if (end != NULL) {
      size_t length = (size_t)(end - inbox);
      memcpy(line, inbox, length);
      line[length] = 0;
      inbox_length -= length + 1;
      memmove(inbox, end + 1, inbox_length);
      return line;
    }
    if (inbox_length == sizeof inbox) return NULL;
    ssize_t count = read(in, inbox + inbox_length, sizeof inbox - inbox_length);
    if (count <= 0) return NULL;
    inbox_length += (size_t)count;
  }
}

/// Writes all of a text.
static void say(int out, const char *text) {
  for (size_t length = strlen(text); length > 0;) {
    ssize_t count = write(out, text, length);
    if (count <= 0) exit(4);
    text += count;
    length -= (size_t)count;
  }
}

/// Takes the first message and answers it; false if there is none.
static int answer_start(int in, int out) {
  char *line = next_line(in);
  if (line == NULL || strstr(line, "session/start") == NULL) return 0;
  const char *id = strstr(line, "\"id\":");
  char reply[256];
  snprintf(reply, sizeof reply, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"protocolVersion\":1}}\n",
           id == NULL ? 1 : atoi(id + 5));
  say(out, reply);
  return 1;
}
