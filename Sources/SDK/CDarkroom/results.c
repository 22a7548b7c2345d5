// SPDX-License-Identifier: Apache-2.0
#include "results.h"
#include "json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// Appends to a text in an array of fixed size, and cuts the text after a whole character.
static void dk_append(char *buffer, size_t size, const char *text) {
  size_t used = strlen(buffer), rest = strlen(text), length;
  while (rest > 0 && (length = dk_json_character(text, rest)) > 0 && used + length < size) {
    memcpy(buffer + used, text, length);
    used += length;
    text += length;
    rest -= length;
  }
  buffer[used] = 0;
}

void dk_describe(darkroom_error *error, int code, int system_error, const char *text) {
  error->code = code;
  error->system_error = system_error;
  error->text[0] = 0;
  dk_append(error->text, sizeof error->text, text);
  if (system_error == 0) return;
  char reason[128];
  // %m is safe in all threads, and is the same function in all C libraries for Linux.
  errno = system_error;
  snprintf(reason, sizeof reason, ": %m");
  dk_append(error->text, sizeof error->text, reason);
}

bool dk_has_size(const void *structure, size_t least) {
  if (structure == NULL) return false;
  size_t size = *(const size_t *)structure;
  return size >= least && size <= DK_MOST;
}

/// Copies the members of a structure after `size`, which is the first member of each.
static void dk_copy_members(void *to, const void *from, size_t to_size, size_t from_size) {
  size_t size = to_size < from_size ? to_size : from_size;
  memcpy((char *)to + sizeof(size_t), (const char *)from + sizeof(size_t), size - sizeof(size_t));
}

void dk_copy_out(void *to, const void *from, size_t size) {
  size_t room = *(size_t *)to;
  memset((char *)to + sizeof(size_t), 0, room - sizeof(size_t));
  dk_copy_members(to, from, room, size);
}

void dk_copy_in(void *to, const void *from, size_t size) {
  memset(to, 0, size);
  dk_copy_members(to, from, size, *(const size_t *)from);
  *(size_t *)to = size;
}

uint64_t dk_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t dk_deadline(int timeout) { return timeout < 0 ? 0 : dk_now() + (uint64_t)timeout * 1000000; }

int dk_remaining(uint64_t deadline) {
  if (deadline == 0) return -1;
  uint64_t now = dk_now();
  // Rounded up, so that a wait does not end before the deadline.
  return now >= deadline ? 0 : (int)((deadline - now + 999999) / 1000000);
}

void dk_increment(int counter) {
  int error = errno;
  const uint64_t one = 1;
  // EAGAIN: the counter is at its maximum, so that the descriptor is readable.
  while (write(counter, &one, sizeof one) < 0 && errno == EINTR) continue;
  errno = error;
}

void dk_drain(int counter) {
  uint64_t count;
  while (read(counter, &count, sizeof count) < 0 && errno == EINTR) continue;
}
