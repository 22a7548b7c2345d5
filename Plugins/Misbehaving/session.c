// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "orders.h"

/// The last request ID. Each request has a different ID, which identifies its reply.
static int requests = 1000;

/// Returns the result or the error in a reply.
static const char *answer_of(const char *line) {
  const char *part = strstr(line, "\"result\":");
  return part != NULL ? part + 9 : (part = strstr(line, "\"error\":")) != NULL ? part + 8 : line;
}

/// Reads messages until one contains `text`. Returns false at the end of the input.
static bool await(struct host *host, const char *text, char *line, size_t size) {
  while (read_line(host->in, line, size)) {
    if (strstr(line, "\"method\":\"session/willDismiss\"") != NULL) host->dismissed = true;
    if (strstr(line, text) != NULL) return true;
  }
  return false;
}

int ask(struct host *host, const char *method, const char *parameters) {
  char line[1024];
  snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}", ++requests, method,
           parameters);
  send_line(host, line);
  return requests;
}

const char *await_answer(struct host *host, int id) {
  static char line[MESSAGE_BYTES + 1];
  char key[32];
  snprintf(key, sizeof key, "\"id\":%d,", id);
  return await(host, key, line, sizeof line) ? answer_of(line) : NULL;
}

/// Waits for the reply to a request and reports it.
static void report_answer(struct host *host, int id, const char *order, const char *value) {
  const char *answer = await_answer(host, id);
  report(order, value, "%s", answer == NULL ? "no answer" : answer);
}

/// Sends a request and reports its reply.
static void request(struct host *host, const char *order, const char *value, const char *method,
                    const char *parameters) {
  report_answer(host, ask(host, method, parameters), order, value);
}

/// Requests the app to be opened, once or twice concurrently.
static bool open_application(struct host *host, const char *value) {
  static const char activity[] = "{\"activity\":{\"activityType\":\"org.darkroom.misbehaving\",\"userInfo\":{\"n\":1}}}";
  int first = ask(host, "session/openApplication", activity);
  if (strcmp(value, "twice") == 0) {
    // The second request is answered while the first is still being decided.
    int second = ask(host, "session/openApplication", activity);
    report_answer(host, second, "open-application", "second");
  }
  report_answer(host, first, "open-application", value);
  return true;
}

/// A frame of the viewfinder, valid or with one kind of forged metadata.
static const struct frame_case {
  const char *name;
  uint64_t published, sequence;
  bool header;
  /// The capture time of the frame, or 0 for the current time.
  uint64_t timestamp;
} frame_cases[] = {
    {"good", 1, 1, false, 0},         {"header", 1, 1, true, 0},         {"huge", UINT64_MAX, 0, false, 0},
    {"torn", 3, 0, false, 0},         {"other", 2, 7, false, 0},         {"zero", 0, 1, false, 0},
    {"never", 1, 1, false, UINT64_MAX}, {"far", 1, 1, false, 1ull << 63},
};

/// Writes a frame of the viewfinder, valid or forged, and announces it.
static bool show_preview(struct host *host, const char *value) {
  const struct frame_case *frame_case = NULL;
  for (size_t index = 0; index < sizeof frame_cases / sizeof frame_cases[0]; index++)
    if (strcmp(value, frame_cases[index].name) == 0) frame_case = &frame_cases[index];
  struct stat status;
  if (frame_case == NULL || host->preview < 0 || fstat(host->preview, &status) != 0) return false;
  size_t size = (size_t)status.st_size;
  unsigned char *ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, host->preview, 0);
  if (ring == MAP_FAILED) {
    report("preview", value, "mmap %s", outcome(-1));
    return true;
  }
  uint32_t slots, stride;
  memcpy(&slots, ring + 12, sizeof slots);
  memcpy(&stride, ring + 16, sizeof stride);
  // The host must not trust the header: these numbers would make it read far beyond the file.
  if (frame_case->header) memset(ring, 0xFF, 128);
  unsigned char *slot = ring + 4096 + (frame_case->published == 0 ? 0 : (frame_case->published - 1) % slots) * stride;
  memset(slot + 64, 200, stride - 64);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t taken = frame_case->timestamp != 0 ? frame_case->timestamp : (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  memcpy(slot + 8, &taken, sizeof taken);
  __atomic_store_n((uint64_t *)(void *)slot, frame_case->sequence, __ATOMIC_RELEASE);
  __atomic_store_n((uint64_t *)(void *)(ring + 128), frame_case->published, __ATOMIC_RELEASE);
  uint64_t one = 1;
  bool notified = write(host->preview_event, &one, sizeof one) == sizeof one;
  int shrunk = ftruncate(host->preview, 0);
  report("preview", value, "%s, shrink %s", notified ? "shown" : "not told", outcome(shrunk));
  munmap(ring, size);
  return true;
}

/// Reports one frame as finished.
static bool consume(struct host *host) {
  uint64_t counter, one = 1;
  if (host->frame_event < 0) return false;
  ssize_t count;
  // The eventfd is non-blocking.
  while ((count = read(host->frame_event, &counter, sizeof counter)) < 0 && errno == EAGAIN) usleep(1000);
  report("consume", "", "%s", count == sizeof counter && write(host->frame_done, &one, sizeof one) == sizeof one ? "ok" : "failed");
  return true;
}

/// Counts the frames that are announced within the given number of milliseconds.
static bool count_frames(struct host *host, const char *value) {
  uint64_t total = 0, counter;
  if (host->frame_event < 0) return false;
  for (int left = atoi(value); left > 0; left--) {
    if (read(host->frame_event, &counter, sizeof counter) == sizeof counter) total += counter;
    usleep(1000);
  }
  report("frames", value, "%llu", (unsigned long long)total);
  return true;
}

/// Waits until the frame ring contains only zeros, for at most the given number of milliseconds.
static bool wait_for_empty_ring(struct host *host, const char *value) {
  struct stat status;
  if (host->frames < 0 || fstat(host->frames, &status) < 0) return false;
  size_t size = (size_t)status.st_size, left = 0;
  const unsigned char *ring = mmap(NULL, size, PROT_READ, MAP_SHARED, host->frames, 0);
  if (ring == MAP_FAILED) return false;
  for (int time = atoi(value); time >= 0; time -= 10, usleep(10000)) {
    left = 0;
    for (size_t offset = 4096; offset < size; offset++) left += ring[offset] != 0;
    if (left == 0) break;
  }
  report("ring", value, "%s", left == 0 ? "empty" : "frames");
  munmap((void *)ring, size);
  return true;
}

/// Waits for a notification and reports its parameters.
static bool await_message(struct host *host, const char *method) {
  static char line[MESSAGE_BYTES + 1];
  char key[160];
  snprintf(key, sizeof key, "\"method\":\"%s\"", method);
  if (!await(host, key, line, sizeof line)) return true;
  const char *parameters = strstr(line, "\"params\":");
  report("await", method, "%s", parameters == NULL ? "" : parameters + 9);
  return true;
}

bool order_session(struct host *host, const char *order, const char *value) {
  if (host->in < 0) return false;
  if (strcmp(order, "open-application") == 0) return open_application(host, value);
  if (strcmp(order, "preview") == 0) return show_preview(host, value);
  if (strcmp(order, "consume") == 0) return consume(host);
  if (strcmp(order, "frames") == 0) return count_frames(host, value);
  if (strcmp(order, "ring") == 0) return wait_for_empty_ring(host, value);
  if (strcmp(order, "await") == 0) return await_message(host, value);
  if (strcmp(order, "camera") == 0)
    request(host, order, value, strcmp(value, "stop") == 0 ? "camera/stop" : "camera/start",
            "{\"delivery\":\"latest\"}");
  else if (strcmp(order, "subscribe") == 0)
    request(host, order, value, "capture/subscribe", "{}");
  else if (strcmp(order, "unsubscribe") == 0)
    request(host, order, value, "capture/unsubscribe", "{}");
  else if (strcmp(order, "presented") == 0)
    send_line(host, "{\"jsonrpc\":\"2.0\",\"method\":\"viewfinder/presented\",\"params\":{\"frame\":1}}");
  else if (strcmp(order, "activity") == 0 && strcmp(value, "end") == 0)
    request(host, order, value, "session/endActivity", "{\"activity\":\"1\"}");
  else if (strcmp(order, "activity") == 0)
    request(host, order, value, "session/beginActivity", "{\"reason\":\"closing the film\"}");
  else if (strcmp(order, "invalidate") == 0)
    request(host, order, value, "session/invalidateContent", "{}");
  else
    return false;
  return true;
}
