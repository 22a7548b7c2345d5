// SPDX-License-Identifier: Apache-2.0
//
// The part of the extension protocol that the measurements need.
#pragma once
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Returns the descriptor with a name (sd_listen_fds(3)), or -1.
static int find_descriptor(const char *name) {
  const char *rest = getenv("LISTEN_FDNAMES");
  size_t length = strlen(name);
  for (int number = 3; rest != NULL && *rest != 0; number++) {
    if (strncmp(rest, name, length) == 0 && (rest[length] == ':' || rest[length] == 0)) return number;
    rest = strchr(rest, ':');
    if (rest != NULL) rest++;
  }
  return -1;
}

/// The received bytes that have not been processed.
static char input_buffer[1 << 17];
static size_t input_length;

/// Returns the next line from the host without its newline, or NULL at the end of the stream.
static char *next_line(int in) {
  static char line[1 << 17];
  for (;;) {
    char *end = memchr(input_buffer, '\n', input_length);
    if (end != NULL) {
      size_t length = (size_t)(end - input_buffer);
      memcpy(line, input_buffer, length);
      line[length] = 0;
      input_length -= length + 1;
      memmove(input_buffer, end + 1, input_length);
      return line;
    }
    if (input_length == sizeof input_buffer) return NULL;
    ssize_t count = read(in, input_buffer + input_length, sizeof input_buffer - input_length);
    if (count <= 0) return NULL;
    input_length += (size_t)count;
  }
}

/// Writes a whole string.
static void write_all(int out, const char *text) {
  for (size_t length = strlen(text); length > 0;) {
    ssize_t count = write(out, text, length);
    if (count <= 0) exit(4);
    text += count;
    length -= (size_t)count;
  }
}

/// Receives and answers the first message. Returns false if the message is not session/start.
static int answer_start(int in, int out) {
  char *line = next_line(in);
  if (line == NULL || strstr(line, "session/start") == NULL) return 0;
  const char *id = strstr(line, "\"id\":");
  char reply[256];
  snprintf(reply, sizeof reply, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"protocolVersion\":1}}\n",
           id == NULL ? 1 : atoi(id + 5));
  write_all(out, reply);
  return 1;
}
