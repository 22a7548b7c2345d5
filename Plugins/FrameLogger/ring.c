// SPDX-License-Identifier: Apache-2.0
#include "ring.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

/// The offsets of the header fields.
enum {
  HEADER_BYTES = 4096,
  AT_VERSION = 4,
  AT_HEADER_BYTES = 8,
  AT_SLOTS = 12,
  AT_SLOT_STRIDE = 16,
  AT_WIDTH = 20,
  AT_HEIGHT = 24,
  AT_FORMAT = 28,
  AT_PLANE_Y = 48,
  AT_PUBLISHED = 128,
};

/// Returns an integer of the header. The ring is little-endian, like all supported machines.
static uint32_t field(const struct ring *ring, size_t offset) {
  uint32_t value;
  memcpy(&value, ring->bytes + offset, sizeof value);
  return value;
}

/// Reads and validates the header. Returns an error message, or NULL on success.
static const char *read_header(struct ring *ring) {
  if (memcmp(ring->bytes, "DKFR", 4) != 0) return "the frame ring has no header";
  if (field(ring, AT_VERSION) != 1) return "the version of the frame ring is unknown";
  if (field(ring, AT_FORMAT) != 1) return "the frame format is not I420";
  if (field(ring, AT_HEADER_BYTES) != HEADER_BYTES) return "the header of the frame ring has an unexpected size";
  ring->slots = field(ring, AT_SLOTS);
  ring->slot_stride = field(ring, AT_SLOT_STRIDE);
  ring->width = field(ring, AT_WIDTH);
  ring->height = field(ring, AT_HEIGHT);
  ring->plane_offset = field(ring, AT_PLANE_Y);
  ring->plane_stride = field(ring, AT_PLANE_Y + 4);
  if (ring->slots == 0 || ring->width == 0 || ring->height == 0) return "the frame size is zero";
  uint64_t plane_end = ring->plane_offset + (uint64_t)ring->plane_stride * (ring->height - 1) + ring->width;
  if (ring->plane_stride < ring->width || plane_end > ring->slot_stride) return "the Y plane is not in its slot";
  uint64_t total = HEADER_BYTES + (uint64_t)ring->slots * ring->slot_stride;
  return total > ring->length ? "the frame ring is truncated" : NULL;
}

bool map_ring(int descriptor, struct ring *ring, const char **problem) {
  struct stat status;
  *problem = "the frames cannot be mapped";
  if (fstat(descriptor, &status) != 0 || status.st_size < HEADER_BYTES) return false;
  ring->length = (size_t)status.st_size;
  void *address = mmap(NULL, ring->length, PROT_READ, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) return false;
  ring->bytes = address;
  *problem = read_header(ring);
  return *problem == NULL;
}

/// Loads a counter that the host writes, with acquire ordering.
static uint64_t load(const unsigned char *at) {
  return __atomic_load_n((const uint64_t *)(const void *)at, __ATOMIC_ACQUIRE);
}

uint64_t newest_frame(const struct ring *ring) { return load(ring->bytes + AT_PUBLISHED); }

bool copy_frame(const struct ring *ring, uint64_t sequence, struct frame *frame) {
  const unsigned char *slot = ring->bytes + HEADER_BYTES + (sequence - 1) % ring->slots * ring->slot_stride;
  if (load(slot) != sequence) return false;
  memcpy(&frame->timestamp, slot + 8, sizeof frame->timestamp);
  for (uint32_t row = 0; row < ring->height; row++) {
    const unsigned char *pixels = slot + ring->plane_offset + (size_t)row * ring->plane_stride;
    memcpy(frame->luma + (size_t)row * ring->width, pixels, ring->width);
  }
  // The copy must be complete before the second check; otherwise a torn frame would be accepted.
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (load(slot) != sequence) return false;
  frame->sequence = sequence;
  return true;
}
