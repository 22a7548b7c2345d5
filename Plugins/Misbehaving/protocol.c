// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "orders.h"

struct host find_host(void) {
  struct host host = {-1, -1, -1, -1, -1, -1, -1, true, false};
  const char *process = getenv("LISTEN_PID"), *names = getenv("LISTEN_FDNAMES");
  if (process == NULL || names == NULL || atol(process) != getpid()) return host;
  char *copy = strdup(names), *rest = copy, *name;
  for (int number = 3; (name = strsep(&rest, ":")) != NULL; number++) {
    if (strcmp(name, "host-in") == 0) host.in = number;
    if (strcmp(name, "host-out") == 0) host.out = number;
    if (strcmp(name, "frames") == 0) host.frames = number;
    if (strcmp(name, "frame-event") == 0) host.frame_event = number;
    if (strcmp(name, "frame-done") == 0) host.frame_done = number;
    if (strcmp(name, "preview") == 0) host.preview = number;
    if (strcmp(name, "preview-event") == 0) host.preview_event = number;
  }
  free(copy);
  return host;
}

bool read_line(int descriptor, char *line, size_t size) {
  size_t length = 0;
  while (length < size - 1) {
    ssize_t count = read(descriptor, line + length, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    if (line[length] == '\n') {
      line[length] = 0;
      return true;
    }
    length++;
  }
  return false;
}

void write_all(int descriptor, const void *bytes, size_t count) {
  const char *at = bytes;
  while (count > 0) {
    ssize_t written = write(descriptor, at, count);
    if (written < 0 && errno != EINTR) exit(4);
    if (written < 0) continue;
    at += written;
    count -= (size_t)written;
  }
}

void send_line(struct host *host, const char *line) {
  if (host->out < 0) return;
  write_all(host->out, line, strlen(line));
  write_all(host->out, "\n", 1);
}

/// Writes the same character `count` times.
static void send_many(struct host *host, char character, size_t count) {
  char *bytes = malloc(count);
  if (bytes == NULL) exit(4);
  memset(bytes, character, count);
  write_all(host->out, bytes, count);
  free(bytes);
}

/// Writes forever.
static bool flood(struct host *host, const char *where) {
  static const char log[] =
      "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":{\"level\":\"debug\",\"message\":\"flood\"}}\n";
  int descriptor = strcmp(where, "stdout") == 0   ? 1
                   : strcmp(where, "stderr") == 0 ? 2
                   : strcmp(where, "protocol") == 0 ? host->out
                                                    : -1;
  if (descriptor < 0) return false;
  for (;;) write_all(descriptor, log, sizeof log - 1);
}

/// Lines that violate the protocol.
static const struct {
  const char *name;
  const char *line;
} wrong_lines[] = {
    {"garbage", "this is not JSON"},
    {"utf8", "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":{\"level\":\"info\",\"message\":\"\xff\xfe\"}}"},
    {"batch", "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"context/get\",\"params\":{}}]"},
    {"unknown", "{\"jsonrpc\":\"2.0\",\"id\":\"u\",\"method\":\"session/conquer\",\"params\":{}}"},
    {"params", "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"camera/start\",\"params\":{\"delivery\":7}}"},
    {"reply", "{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{}}"},
};

/// Violates the protocol in the given way.
static bool leave_protocol(struct host *host, const char *how) {
  if (host->out < 0) return false;
  for (size_t index = 0; index < sizeof wrong_lines / sizeof wrong_lines[0]; index++) {
    if (strcmp(how, wrong_lines[index].name) == 0) {
      send_line(host, wrong_lines[index].line);
      return true;
    }
  }
  if (strcmp(how, "oversize") == 0) {
    send_many(host, 'x', MESSAGE_BYTES + 1);
    write_all(host->out, "\n", 1);
  } else if (strcmp(how, "endless") == 0) {
    for (;;) send_many(host, 'x', MESSAGE_BYTES);
  } else if (strcmp(how, "deep") == 0) {
    send_many(host, '[', 1000);
    send_many(host, ']', 1000);
    write_all(host->out, "\n", 1);
  } else if (strcmp(how, "slow") == 0) {
    write_all(host->out, "{\"jsonrpc\":", 11);
  } else if (strcmp(how, "context") == 0) {
    static const char before[] = "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"context/update\",\"params\":{\"context\":\"";
    write_all(host->out, before, sizeof before - 1);
    send_many(host, 'x', 5000);
    send_line(host, "\"}}");
  } else {
    return false;
  }
  return true;
}

bool order_protocol(struct host *host, const char *order, const char *value) {
  if (strcmp(order, "flood") == 0) return flood(host, value);
  if (strcmp(order, "protocol") == 0) return leave_protocol(host, value);
  if (strcmp(order, "dismiss") != 0) return false;
  send_line(host, "{\"jsonrpc\":\"2.0\",\"id\":\"dismiss\",\"method\":\"session/dismiss\",\"params\":{}}");
  return true;
}
