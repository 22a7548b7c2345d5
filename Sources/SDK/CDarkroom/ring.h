// SPDX-License-Identifier: Apache-2.0
#ifndef DARKROOM_RING_H
#define DARKROOM_RING_H

#include "darkroom.h"

/// The planes of a frame.
#define DK_PLANES 3

/// A plane of a frame: its offset in the slot, the row stride, the number of rows, the bytes of a row.
struct dk_plane {
  uint32_t offset, stride, rows, row_bytes;
};

/// A ring in shared memory. The fields are copied from the header when the ring is mapped.
struct dk_ring {
  /// NULL if the ring is not mapped.
  unsigned char *memory;
  size_t length;
  uint32_t header_bytes, slots, slot_stride;
  /// Frames: the size in pixels.
  uint32_t width, height;
  struct dk_plane planes[DK_PLANES];
  /// Sound: the format.
  uint32_t sample_rate, channels, block_frames;
  /// Whether the host delivers, and every frame or block.
  bool is_running, is_every;
  /// The last finished frame or block, the one in use (0: none), and the newest announced one.
  uint64_t last, in_use, announced;
  /// The last frame that the extension has taken. A finished frame was not taken if the host had overwritten the frame.
  uint64_t taken;
};

/// Maps a ring of frames and checks its header. Returns 0, or a negative code with an error.
int dk_map_frames(darkroom_error *error, int descriptor, int access, struct dk_ring *ring);
/// Maps a sound ring and checks its header. Returns 0, or a negative code with an error.
int dk_map_sound(darkroom_error *error, int descriptor, struct dk_ring *ring);
/// Unmaps a ring.
void dk_unmap(struct dk_ring *ring);
/// Returns the slot of a frame or block.
unsigned char *dk_slot(const struct dk_ring *ring, uint64_t number);
/// Reads a counter; later reads see what the other side wrote before it.
uint64_t dk_load(const void *counter);
/// Writes a counter; the other side sees earlier writes before it.
void dk_store(void *counter, uint64_t value);
/// Returns the newest published frame or block.
uint64_t dk_published(const struct dk_ring *ring);
/// Returns whether a slot still contains a frame or block after its bytes were read.
bool dk_is_intact(const void *slot, uint64_t number);
/// Returns whether a frame or block was published, but neither taken nor announced.
bool dk_is_pending(const struct dk_ring *ring);
/// Marks the pending frame or block as announced. Returns false if none is pending.
bool dk_announce(struct dk_ring *ring);
/// Copies a block of sound out of its slot. `samples` has space for the largest block of the ring. Returns false if the
/// host has overwritten or erased the block.
bool dk_copy_block(const struct dk_ring *ring, uint64_t number, int16_t *samples, darkroom_sound *sound);

/// The offsets in a slot and in a header of a ring.
enum {
  DK_SLOT_SEQUENCE = 0,
  DK_SLOT_TIMESTAMP = 8,
  DK_SLOT_PUBLISHED = 16,
  DK_SLOT_POSITION = 24,
  DK_SLOT_FRAMES = 32,
  DK_SLOT_DATA = 64,
  DK_HEADER_PUBLISHED = 128,
  DK_HEADER_HELD = 136,
};

#endif
