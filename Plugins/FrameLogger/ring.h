// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The frame ring in shared memory, with the fields that this program uses: those of the Y plane.
struct ring {
  const unsigned char *bytes;
  size_t length;
  uint32_t slots;
  uint32_t slot_stride;
  uint32_t width;
  uint32_t height;
  uint32_t plane_offset;
  uint32_t plane_stride;
};

/// A copy of a frame's Y plane.
struct frame {
  uint64_t sequence;
  uint64_t timestamp;
  /// A buffer of width * height bytes, allocated by the caller of `map_ring`.
  unsigned char *luma;
};

/// Maps the ring and validates the header. On failure, returns false and sets `problem` to an error message.
bool map_ring(int descriptor, struct ring *ring, const char **problem);

/// Returns the sequence number of the newest frame, or 0 before the first.
uint64_t newest_frame(const struct ring *ring);

/// Copies a frame. Returns false if the host has started to overwrite it.
bool copy_frame(const struct ring *ring, uint64_t sequence, struct frame *frame);
