// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// A lock would be in the memory of one process, and would not exclude the other side.
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "rings require lock-free counters of 64 bits");

/// The offset of the table of planes in the header of a frame ring.
#define DK_PLANE_TABLE 48
/// The maximum width and height of a frame, which keeps all sizes within 32 bits.
#define DK_MAXIMUM_SIDE 16384

/// Stores an error, and returns its code.
static int dk_fail_ring(darkroom_error *error, int code, int system_error, const char *text) {
  dk_describe(error, code, system_error, text);
  return code;
}

/// Maps the memory file of a ring, and reads the fields that all rings share.
static int dk_map(darkroom_error *error, int descriptor, int access, const char *magic, struct dk_ring *ring) {
  struct stat status;
  uint32_t fields[5];
  if (fstat(descriptor, &status) != 0) return dk_fail_ring(error, DARKROOM_SYSTEM_ERROR, errno, "a ring: fstat(2) failed");
  if (status.st_size < 4096) return dk_fail_ring(error, DARKROOM_PROTOCOL_ERROR, 0, "a ring is too small");
  ring->length = (size_t)status.st_size;
  void *memory = mmap(NULL, ring->length, access, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return dk_fail_ring(error, DARKROOM_SYSTEM_ERROR, errno, "a ring: mmap(2) failed");
  ring->memory = memory;
  memcpy(fields, memory, sizeof fields);
  ring->header_bytes = fields[2];
  ring->slots = fields[3];
  ring->slot_stride = fields[4];
  uint64_t end = ring->header_bytes + (uint64_t)ring->slots * ring->slot_stride;
  bool is_valid = memcmp(fields, magic, 4) == 0 && fields[1] == 1 && ring->header_bytes >= 4096 &&
                  ring->header_bytes % 64 == 0 && ring->slots > 0 && ring->slot_stride > DK_SLOT_DATA &&
                  ring->slot_stride % 64 == 0 && end <= ring->length;
  if (is_valid) return 0;
  dk_unmap(ring);
  return dk_fail_ring(error, DARKROOM_PROTOCOL_ERROR, 0, "the header of a ring is invalid");
}

/// Returns whether a plane has the size that the frame requires, and is inside of the slot.
static bool dk_is_plane(const struct dk_ring *ring, const struct dk_plane *plane, uint32_t width, uint32_t height) {
  return plane->row_bytes == width && plane->rows == height && plane->stride >= width &&
         plane->offset >= DK_SLOT_DATA &&
         plane->offset + (uint64_t)plane->stride * (height - 1) + width <= ring->slot_stride;
}

int dk_map_frames(darkroom_error *error, int descriptor, int access, struct dk_ring *ring) {
  int result = dk_map(error, descriptor, access, "DKFR", ring);
  if (result != 0) return result;
  uint32_t fields[6];
  memcpy(fields, ring->memory + 20, sizeof fields);
  memcpy(ring->planes, ring->memory + DK_PLANE_TABLE, sizeof ring->planes);
  ring->width = fields[0];
  ring->height = fields[1];
  uint32_t half_width = (ring->width + 1) / 2, half_height = (ring->height + 1) / 2;
  // Format 1 is I420, with three planes.
  bool is_valid = fields[2] == 1 && fields[5] == DK_PLANES && ring->width > 0 && ring->height > 0 &&
                  ring->width <= DK_MAXIMUM_SIDE && ring->height <= DK_MAXIMUM_SIDE &&
                  dk_is_plane(ring, &ring->planes[0], ring->width, ring->height) &&
                  dk_is_plane(ring, &ring->planes[1], half_width, half_height) &&
                  dk_is_plane(ring, &ring->planes[2], half_width, half_height);
  // With two slots, the newest frame and the next one could both be in the way of a held frame.
  if (is_valid && (access & PROT_WRITE) != 0) is_valid = ring->slots >= 3;
  if (is_valid) return 0;
  dk_unmap(ring);
  return dk_fail_ring(error, DARKROOM_PROTOCOL_ERROR, 0, "the format of a frame ring is invalid");
}

int dk_map_sound(darkroom_error *error, int descriptor, struct dk_ring *ring) {
  int result = dk_map(error, descriptor, PROT_READ, "DKSR", ring);
  if (result != 0) return result;
  uint32_t fields[4];
  memcpy(fields, ring->memory + 20, sizeof fields);
  ring->sample_rate = fields[0];
  ring->channels = fields[1];
  ring->block_frames = fields[3];
  bool is_valid = ring->sample_rate > 0 && ring->channels > 0 && ring->channels <= 256 && fields[2] == 1 &&
                  ring->block_frames > 0 &&
                  DK_SLOT_DATA + (uint64_t)ring->block_frames * ring->channels * 2 <= ring->slot_stride;
  if (is_valid) return 0;
  dk_unmap(ring);
  return dk_fail_ring(error, DARKROOM_PROTOCOL_ERROR, 0, "the format of the sound ring is invalid");
}

void dk_unmap(struct dk_ring *ring) {
  if (ring->memory != NULL) munmap(ring->memory, ring->length);
  ring->memory = NULL;
}

unsigned char *dk_slot(const struct dk_ring *ring, uint64_t number) {
  return ring->memory + ring->header_bytes + (size_t)((number - 1) % ring->slots) * ring->slot_stride;
}

uint64_t dk_load(const void *counter) {
  return atomic_load_explicit((const _Atomic uint64_t *)counter, memory_order_acquire);
}

void dk_store(void *counter, uint64_t value) {
  atomic_store_explicit((_Atomic uint64_t *)counter, value, memory_order_release);
}

uint64_t dk_published(const struct dk_ring *ring) {
  return ring->memory == NULL ? 0 : dk_load(ring->memory + DK_HEADER_PUBLISHED);
}

bool dk_is_intact(const void *slot, uint64_t number) {
  // The counter is read after the bytes: a writer that changed a byte has changed the counter before.
  atomic_thread_fence(memory_order_acquire);
  return dk_load((const char *)slot + DK_SLOT_SEQUENCE) == number;
}

int dk_add(darkroom_session *session, int descriptor, uint64_t count) {
  while (write(descriptor, &count, sizeof count) < 0)
    if (errno != EINTR) return dk_fail(session, DARKROOM_SYSTEM_ERROR, errno, "an event counter cannot be written");
  return 0;
}

/// Returns the newest frame or block that the extension has taken, or that was announced.
static uint64_t dk_newest_seen(const struct dk_ring *ring) {
  return ring->announced > ring->last ? ring->announced : ring->last;
}

bool dk_is_pending(const struct dk_ring *ring) {
  return ring->is_running && dk_published(ring) > dk_newest_seen(ring);
}

bool dk_announce(struct dk_ring *ring) {
  if (!dk_is_pending(ring)) return false;
  ring->announced = ring->is_every ? dk_newest_seen(ring) + 1 : dk_published(ring);
  return true;
}

int dk_finish_to(darkroom_session *session, struct dk_ring *ring, int done, uint64_t number) {
  if (number <= ring->last) return 0;
  uint64_t count = number - ring->last;
  ring->last = number;
  return dk_add(session, done, count);
}
