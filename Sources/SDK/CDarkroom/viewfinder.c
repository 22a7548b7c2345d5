// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <stdatomic.h>
#include <string.h>

int darkroom_begin_drawing(darkroom_session *session, darkroom_canvas *canvas) {
  const struct dk_ring *ring = &session->viewfinder;
  if (!dk_accepts(session, canvas, DK_LEAST(darkroom_canvas, number))) return DARKROOM_INVALID;
  if (ring->memory == NULL) return dk_fail(session, DARKROOM_UNAVAILABLE, 0, "the session has no viewfinder");
  // The host writes `held`, and then reads `published`. This side has written `published`, and then reads `held`. With a
  // full barrier between the two on each side, at least one side sees the write of the other.
  atomic_thread_fence(memory_order_seq_cst);
  uint64_t held = dk_load(ring->memory + DK_HEADER_HELD), number = session->shown + 1;
  if (held != 0 && dk_slot(ring, held) == dk_slot(ring, number)) number++;
  unsigned char *slot = dk_slot(ring, number);
  dk_store(slot + DK_SLOT_SEQUENCE, 0);
  // A reader that sees a new pixel also sees the zero.
  atomic_thread_fence(memory_order_release);
  darkroom_canvas result = {.size = sizeof result, .timestamp = dk_now(), .number = number};
  result.width = ring->width;
  result.height = ring->height;
  for (int index = 0; index < DK_PLANES; index++) {
    result.plane[index] = slot + ring->planes[index].offset;
    result.stride[index] = ring->planes[index].stride;
    result.row_bytes[index] = ring->planes[index].row_bytes;
    result.rows[index] = ring->planes[index].rows;
  }
  dk_copy_out(canvas, &result, sizeof result);
  return 0;
}

int darkroom_end_drawing(darkroom_session *session, const darkroom_canvas *canvas) {
  struct dk_ring *ring = &session->viewfinder;
  if (!dk_accepts(session, canvas, DK_LEAST(darkroom_canvas, number))) return DARKROOM_INVALID;
  if (ring->memory == NULL) return dk_fail(session, DARKROOM_UNAVAILABLE, 0, "the session has no viewfinder");
  if (canvas->number != session->shown + 1 && canvas->number != session->shown + 2)
    return dk_fail(session, DARKROOM_INVALID, 0, "the frame was not started with darkroom_begin_drawing");
  unsigned char *slot = dk_slot(ring, canvas->number);
  dk_store(slot + DK_SLOT_TIMESTAMP, canvas->timestamp);
  dk_store(slot + DK_SLOT_PUBLISHED, dk_now());
  dk_store(slot + DK_SLOT_SEQUENCE, canvas->number);
  dk_store(ring->memory + DK_HEADER_PUBLISHED, canvas->number);
  session->shown = canvas->number;
  return dk_add(session, session->descriptors.preview_event, 1);
}

/// Copies the pixels of a plane that both sides have.
static void dk_copy_plane(const darkroom_frame *frame, const darkroom_canvas *canvas, int index) {
  size_t length = frame->row_bytes[index];
  if (length > canvas->row_bytes[index]) length = canvas->row_bytes[index];
  for (uint32_t row = 0; row < frame->rows[index] && row < canvas->rows[index]; row++)
    memcpy(canvas->plane[index] + (size_t)row * canvas->stride[index],
           frame->plane[index] + (size_t)row * frame->stride[index], length);
}

int darkroom_present(darkroom_session *session, const darkroom_frame *frame) {
  darkroom_canvas canvas = DARKROOM_CANVAS_INIT;
  if (!dk_accepts(session, frame, DK_LEAST(darkroom_frame, slot))) return DARKROOM_INVALID;
  int result = darkroom_begin_drawing(session, &canvas);
  if (result != 0) return result;
  for (int index = 0; index < DK_PLANES; index++) dk_copy_plane(frame, &canvas, index);
  canvas.timestamp = frame->timestamp;
  if (!darkroom_frame_valid(frame))
    return dk_fail(session, DARKROOM_OVERWRITTEN, 0, "the host has overwritten the frame");
  return darkroom_end_drawing(session, &canvas);
}

int darkroom_presented(darkroom_session *session, uint64_t sequence) {
  struct dk_text text = dk_begin(session, "viewfinder/presented", false);
  dk_put(&text, "{\"frame\":");
  dk_put_integer(&text, (int64_t)sequence);
  dk_put(&text, "}}");
  return dk_send(session, &text);
}
