// SPDX-License-Identifier: Apache-2.0
//
// Misbehaves as its commands say. README.md lists the commands.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "orders.h"

/// Replies to a `session/start` with `result`.
static void answer(struct host *host, const char *start, const char *result) {
  char line[256];
  // The host sends the ID 1 for its first request, but the protocol permits any ID.
  const char *id = strstr(start, "\"id\":");
  int length = id == NULL ? 0 : (int)strcspn(id + 5, ",}");
  if (length == 0 || length > 100) exit(3);
  snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":%s}", length, id + 5, result);
  send_line(host, line);
}

/// Returns the app context of a `session/start` if it is a string. Commands contain no escapes.
static char *commands_in(char *start) {
  static const char key[] = "\"appContext\":\"";
  char *context = strstr(start, key);
  if (context == NULL) return NULL;
  context += sizeof key - 1;
  char *end = strchr(context, '"');
  if (end == NULL) return NULL;
  *end = 0;
  return context;
}

/// Reads `session/start`, replies as the first command requires, and returns the commands in it.
static char *begin(struct host *host, const char *first) {
  static char start[MESSAGE_BYTES + 1];
  if (!read_line(host->in, start, sizeof start)) exit(3);
  char line[sizeof start];
  memcpy(line, start, sizeof start);
  char *commands = commands_in(start);
  if (first == NULL) first = commands == NULL ? "" : commands;
  if (strncmp(first, "early", 5) == 0) send_line(host, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"camera/stop\"}");
  answer(host, line, strncmp(first, "version", 7) == 0 ? "{\"protocolVersion\":99}" : "{\"protocolVersion\":1}");
  return commands;
}

/// Waits for the dismissal, or forever if the process ignores it.
static void wait_for_dismissal(struct host *host) {
  static char line[MESSAGE_BYTES + 1];
  if (host->dismissed && host->obeys) return;
  while (read_line(host->in, line, sizeof line)) {
    if (host->obeys && strstr(line, "\"method\":\"session/willDismiss\"") != NULL) return;
  }
  while (!host->obeys) pause();
}

bool carry_out(struct host *host, const char *order) {
  char copy[256];
  snprintf(copy, sizeof copy, "%s", order);
  char *value = copy;
  const char *name = strsep(&value, "=");
  if (value == NULL) value = "";
  // These two commands were handled at the start of the session.
  if (strcmp(name, "early") == 0 || strcmp(name, "version") == 0) return true;
  if (strcmp(name, "call") == 0) return order_call(value);
  if (strcmp(name, "leave") == 0) return order_leave(value);
  if (strcmp(name, "fill") == 0) return order_fill(value);
  if (strcmp(name, "fill-names") == 0) return order_fill_names(value);
  if (strcmp(name, "bomb") == 0) return order_bomb(value);
  if (strcmp(name, "linger") == 0) return order_linger(value);
  return order_process(host, name, value) || order_protocol(host, name, value) || order_session(host, name, value) ||
         order_photos(host, name, value) || order_controls(host, name, value);
}

void report(const char *order, const char *value, const char *format, ...) {
  va_list values;
  printf("%s%s%s: ", order, value[0] == 0 ? "" : "=", value);
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
  putchar('\n');
  // The next command may end the process.
  fflush(stdout);
}

const char *outcome(long result) {
  if (result >= 0) return "ok";
  const char *name = strerrorname_np(errno);
  return name == NULL ? "unknown error" : name;
}

const char *session_directory(void) {
  const char *path = getenv("DARKROOM_SESSION_DIR");
  return path == NULL ? "/session" : path;
}

int main(int count, char **arguments) {
  struct host host = find_host();
  char *commands = NULL;
  if (host.in >= 0) commands = begin(&host, arguments[1]);
  for (int index = 1; index < count; index++) {
    if (!carry_out(&host, arguments[index])) goto unknown;
  }
  for (char *order; count == 1 && commands != NULL && (order = strsep(&commands, " ")) != NULL;) {
    if (order[0] != 0 && !carry_out(&host, order)) goto unknown;
  }
  if (host.in >= 0) wait_for_dismissal(&host);
  return 0;
unknown:
  fputs("Misbehaving: unknown order; README.md lists all orders\n", stderr);
  return 2;
}
