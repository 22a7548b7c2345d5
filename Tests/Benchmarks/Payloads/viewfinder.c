// SPDX-License-Identifier: Apache-2.0
//
// The fastest viewfinder extension: copies each frame from the camera ring to the viewfinder ring.
#include "protocol.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

/// The offsets of the rings' fields; see "The frame ring" in the protocol.
enum { HEADER = 4096, AT_SLOTS = 12, AT_STRIDE = 16, AT_PUBLISHED = 128, AT_HELD = 136 };

/// The offsets of the fields of a slot.
enum { AT_TIME = 8, AT_SHOWN = 16 };

/// Whether a frame was drawn or the host held the slot.
enum draw_result { DRAWN, HELD };

static unsigned char *map(int descriptor, int protection) {
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return NULL;
  void *address = mmap(NULL, (size_t)status.st_size, protection, MAP_SHARED, descriptor, 0);
  return address == MAP_FAILED ? NULL : address;
}

static uint32_t field(const unsigned char *ring, size_t offset) {
  uint32_t value;
  memcpy(&value, ring + offset, sizeof value);
  return value;
}

static unsigned char *slot(unsigned char *ring, uint64_t sequence) {
  return ring + HEADER + (sequence - 1) % field(ring, AT_SLOTS) * (size_t)field(ring, AT_STRIDE);
}

static uint64_t *word(unsigned char *at) { return (uint64_t *)(void *)at; }

/// Returns the time of the clock of the rings' timestamps, in nanoseconds.
static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/// Copies a frame into the viewfinder as frame `shown`, unless the host is displaying the frame in that slot.
static enum draw_result show(const unsigned char *from, size_t length, unsigned char *preview, uint64_t shown) {
  unsigned char *to = slot(preview, shown);
  // Orders the publication of the last frame before this read: either the host sees the new number, or this
  // process sees the frame that the host holds.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  uint64_t held = __atomic_load_n(word(preview + AT_HELD), __ATOMIC_ACQUIRE);
  if (held != 0 && slot(preview, held) == to) return HELD;
  __atomic_store_n(word(to), 0, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  memcpy(to + AT_TIME, from + AT_TIME, length - AT_TIME);
  *word(to + AT_SHOWN) = now();
  __atomic_store_n(word(to), shown, __ATOMIC_RELEASE);
  __atomic_store_n(word(preview + AT_PUBLISHED), shown, __ATOMIC_RELEASE);
  return DRAWN;
}

int main(void) {
  // The exit of the host is detected as the end of host-in instead of SIGPIPE.
  signal(SIGPIPE, SIG_IGN);
  int in = find_descriptor("host-in"), out = find_descriptor("host-out"), event = find_descriptor("frame-event"), done = find_descriptor("frame-done");
  int preview_event = find_descriptor("preview-event");
  unsigned char *frames = map(find_descriptor("frames"), PROT_READ), *preview = map(find_descriptor("preview"), PROT_READ | PROT_WRITE);
  if (in < 0 || frames == NULL || preview == NULL || !answer_start(in, out)) return 2;
  write_all(out, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"camera/start\",\"params\":{\"delivery\":\"latest\"}}\n"
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"capture/subscribe\",\"params\":{}}\n");
  uint64_t last = 0, shown = 0, one = 1, count;
  struct pollfd watched[] = {{.fd = in, .events = POLLIN}, {.fd = event, .events = POLLIN}};
  while (poll(watched, 2, -1) >= 0) {
    if (watched[1].revents & POLLIN && read(event, &count, sizeof count) == sizeof count) {
      uint64_t newest = __atomic_load_n(word(frames + AT_PUBLISHED), __ATOMIC_ACQUIRE), finished = newest - last;
      enum draw_result draw_result = show(slot(frames, newest), field(frames, AT_STRIDE), preview, ++shown);
      last = newest;
      if (draw_result == DRAWN && write(preview_event, &one, sizeof one) < 0) return 3;
      if (write(done, &finished, sizeof finished) < 0) return 3;
    }
    if (watched[0].revents == 0) continue;
    char *line = next_line(in);
    if (line == NULL || strstr(line, "session/willDismiss") != NULL) return 0;
    // Processes buffered messages before the next poll.
    while (memchr(input_buffer, '\n', input_length) != NULL) {
      if (strstr(next_line(in), "session/willDismiss") != NULL) return 0;
    }
  }
  return 1;
}
