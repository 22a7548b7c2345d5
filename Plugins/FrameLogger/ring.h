// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The frames in shared memory, as far as this program looks at them: the Y plane.
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

/// One frame's Y plane, copied out.
struct frame {
  uint64_t sequence;
  uint64_t timestamp;
  /// width * height bytes, made by `map_ring`'s caller.
  unsigned char *luma;
};

/// Maps the frames and checks the header; false with a sentence in `problem` if something is wrong.
bool map_ring(int descriptor, struct ring *ring, const char **problem);

/// The sequence of the newest frame, 0 before the first.
uint64_t newest_frame(const struct ring *ring);

/// Copies a frame out; false if the host has begun to overwrite it.
bool copy_frame(const struct ring *ring, uint64_t sequence, struct frame *frame);
