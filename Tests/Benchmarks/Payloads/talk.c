// SPDX-License-Identifier: Apache-2.0
//
// An extension that exchanges messages with its host and records the durations in /session/result as `name
// nanoseconds`.
//
//   talk measure        sequential round trips, then as many messages as the limit allows at once
//   talk stay           a few round trips, then waits for its dismissal
#include "protocol.h"

#include <pthread.h>
#include <time.h>

enum { TRIPS = 300, UPDATES = 20, BURST = 3000, FEW_TRIPS = 20 };

static int in, out;
static FILE *result;

/// Returns the time of a clock in nanoseconds.
static long long nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/// Sends a request and returns the line of the reply; skips other messages.
static const char *send_request(int id, const char *method, const char *parameters) {
  char line[1024], expected[32];
  snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}\n", id, method, parameters);
  write_all(out, line);
  snprintf(expected, sizeof expected, "\"id\":%d,", id);
  char *reply;
  while ((reply = next_line(in)) != NULL && strstr(reply, expected) == NULL) continue;
  if (reply == NULL || strstr(reply, "\"result\"") == NULL) exit(5);
  return reply;
}

/// Sends a request and records the duration until the reply.
static void time_round_trip(const char *name, int id, const char *method, const char *parameters) {
  long long start = nanoseconds(CLOCK_MONOTONIC);
  send_request(id, method, parameters);
  fprintf(result, "%s %lld\n", name, nanoseconds(CLOCK_MONOTONIC) - start);
}

/// Reads the replies to a burst.
static void *read_replies(void *unused) {
  for (int count = 0; count < BURST;) {
    char *line = next_line(in);
    if (line == NULL) exit(6);
    if (strstr(line, "\"result\"") != NULL) count++;
  }
  return unused;
}

static void measure(void) {
  const char *context = "{\"context\":{\"flash\":\"on\",\"zoom\":2.5,\"mode\":\"portrait\"}}";
  send_request(1, "context/get", "{}");
  send_request(2, "context/update", context);
  for (int i = 0; i < TRIPS; i++) time_round_trip("context/get", 10 + i, "context/get", "{}");
  for (int i = 0; i < UPDATES; i++) {
    char other[128];
    snprintf(other, sizeof other, "{\"context\":{\"flash\":\"on\",\"zoom\":%d,\"mode\":\"portrait\"}}", i);
    time_round_trip("context/update", 1000 + i, "context/update", other);
  }
  pthread_t reader;
  long long start = nanoseconds(CLOCK_MONOTONIC);
  if (pthread_create(&reader, NULL, read_replies, NULL) != 0) exit(7);
  for (int i = 0; i < BURST; i++) {
    char line[128];
    snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"context/get\",\"params\":{}}\n", 2000 + i);
    write_all(out, line);
  }
  pthread_join(reader, NULL);
  fprintf(result, "burst %lld\n", (nanoseconds(CLOCK_MONOTONIC) - start) / BURST);
}

int main(int count, char **arguments) {
  in = find_descriptor("host-in");
  out = find_descriptor("host-out");
  if (in < 0 || out < 0 || count < 2 || !answer_start(in, out)) return 2;
  result = fopen("/session/result", "w");
  if (result == NULL) return 3;
  if (strcmp(arguments[1], "measure") == 0) {
    measure();
  } else {
    for (int i = 0; i < FEW_TRIPS; i++) time_round_trip("context/get", 10 + i, "context/get", "{}");
    fflush(result);
    // The subscription lets the extension receive user input, and shows the host that all replies have
    // arrived.
    send_request(100, "capture/subscribe", "{}");
    char *line;
    while ((line = next_line(in)) != NULL && strstr(line, "session/willDismiss") == NULL) continue;
  }
  return fclose(result) == 0 ? 0 : 8;
}
