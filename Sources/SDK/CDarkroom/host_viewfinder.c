// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"
#include "image.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// The maximum width and height of a frame.
#define DK_FRAME_SIDE 16384

void dk_viewfinder_unmap(struct dk_viewfinder *viewfinder) {
  if (viewfinder->memory != NULL) munmap(viewfinder->memory, viewfinder->length);
  viewfinder->memory = NULL;
  viewfinder->held = 0;
}

/// Ends the viewfinder with a reason, which darkroom_hosted_take_frame() returns.
static void dk_end_viewfinder(darkroom_hosted_session *session, int code, int system_error, const char *text) {
  struct dk_viewfinder *viewfinder = &session->viewfinder;
  viewfinder->stage = DK_STAGE_ENDED;
  viewfinder->is_requested = viewfinder->should_request = false;
  dk_describe(&viewfinder->error, code, system_error, text);
  dk_host_enqueue(session->host, DARKROOM_HOST_VIEWFINDER_END, session, NULL);
  dk_announce_result(session);
}

/// Ends the viewfinder with the error of a response. Returns false if the response has a result.
static bool dk_end_with_error(darkroom_hosted_session *session, struct dk_json response) {
  darkroom_error error;
  if (!dk_host_read_error(session->host, response, &error)) return false;
  dk_end_viewfinder(session, error.code, 0, error.text);
  session->viewfinder.error.system_error = error.system_error;
  return true;
}

/// Reads an integer member in a range.
static bool dk_read_number(struct dk_json object, const char *name, int64_t least, int64_t most, int64_t *number) {
  return dk_json_integer(dk_json_member(object, name), number) && *number >= least && *number <= most;
}

/// Reads the layout of a plane, which must have a width and a height.
static bool dk_read_plane(struct dk_json object, uint32_t width, uint32_t height, struct dk_frame_plane *plane) {
  int64_t offset, stride, rows, row_bytes;
  if (!dk_read_number(object, "offset", 0, INT32_MAX, &offset) ||
      !dk_read_number(object, "stride", width, INT32_MAX, &stride) ||
      !dk_read_number(object, "rows", height, height, &rows) ||
      !dk_read_number(object, "rowBytes", width, width, &row_bytes))
    return false;
  *plane = (struct dk_frame_plane){(uint64_t)offset, (uint32_t)stride, (uint32_t)rows, (uint32_t)row_bytes};
  return true;
}

/// Reads the layout of the frames.
static bool dk_read_layout(struct dk_json result, struct dk_viewfinder *viewfinder) {
  struct dk_json planes = dk_json_member(result, "planes"), plane = {NULL, 0};
  int64_t width, height, bytes;
  if (!dk_read_number(result, "width", 1, DK_FRAME_SIDE, &width) ||
      !dk_read_number(result, "height", 1, DK_FRAME_SIDE, &height) ||
      !dk_read_number(result, "bytes", 1, PTRDIFF_MAX, &bytes))
    return false;
  viewfinder->width = (uint32_t)width;
  viewfinder->height = (uint32_t)height;
  viewfinder->length = (size_t)bytes;
  for (int index = 0; index < DK_FRAME_PLANES; index++) {
    uint32_t columns = index == 0 ? viewfinder->width : (viewfinder->width + 1) / 2;
    uint32_t rows = index == 0 ? viewfinder->height : (viewfinder->height + 1) / 2;
    if (!dk_json_next(planes, &plane) || !dk_read_plane(plane, columns, rows, &viewfinder->planes[index])) return false;
  }
  return !dk_json_next(planes, &plane);
}

/// Maps the memory file. Returns 0 or an errno.
static int dk_map_viewfinder(struct dk_viewfinder *viewfinder, int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return errno;
  // Reading behind the end of the file would raise SIGBUS.
  if (status.st_size < 0 || (uint64_t)status.st_size < viewfinder->length) return EINVAL;
  void *memory = mmap(NULL, viewfinder->length, PROT_READ, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return errno;
  viewfinder->memory = memory;
  return 0;
}

/// Opens the viewfinder with the result of `viewfinder/open`, and its memory file.
static void dk_open_viewfinder(darkroom_hosted_session *session, struct dk_json result, int descriptor) {
  struct dk_viewfinder *viewfinder = &session->viewfinder;
  if (descriptor < 0 || !dk_read_layout(result, viewfinder)) {
    dk_end_viewfinder(session, DARKROOM_PROTOCOL_ERROR, 0, "the server sent an unusable viewfinder");
    return;
  }
  int failure = dk_map_viewfinder(viewfinder, descriptor);
  if (failure != 0) {
    dk_end_viewfinder(session, DARKROOM_SYSTEM_ERROR, failure, "the viewfinder cannot be mapped");
    return;
  }
  viewfinder->stage = DK_STAGE_OPEN;
  viewfinder->should_request = viewfinder->is_requested;
}

void dk_viewfinder_opened(darkroom_host *host, darkroom_hosted_session *session, struct dk_json response) {
  bool is_opened = false;
  struct dk_json result = dk_json_member(response, "result");
  dk_json_boolean(dk_json_member(result, "opened"), &is_opened);
  // Responses with descriptors arrive in the order of the descriptors.
  int descriptor = is_opened ? dk_host_take_descriptor(host) : -1;
  if (session != NULL && !dk_end_with_error(session, response)) {
    if (is_opened)
      dk_open_viewfinder(session, result, descriptor);
    else
      dk_end_viewfinder(session, DARKROOM_UNAVAILABLE, 0, "the session has ended without a viewfinder");
  }
  if (descriptor >= 0) close(descriptor);
}

/// Returns whether all planes of a frame are inside of the memory file.
static bool dk_is_inside(const struct dk_viewfinder *viewfinder, uint64_t offset) {
  if (offset > viewfinder->length) return false;
  for (int index = 0; index < DK_FRAME_PLANES; index++) {
    const struct dk_frame_plane *plane = &viewfinder->planes[index];
    uint64_t end = plane->offset + (uint64_t)plane->stride * (plane->rows - 1) + plane->row_bytes;
    if (end > viewfinder->length - offset) return false;
  }
  return true;
}

void dk_viewfinder_advanced(darkroom_hosted_session *session, struct dk_json response) {
  struct dk_viewfinder *viewfinder = &session->viewfinder;
  struct dk_json result = dk_json_member(response, "result");
  bool has_frame = false;
  int64_t offset, sequence, timestamp;
  if (dk_end_with_error(session, response)) return;
  if (dk_json_boolean(dk_json_member(result, "more"), &has_frame) && !has_frame) {
    dk_end_viewfinder(session, DARKROOM_ENDED, 0, "the viewfinder has no further frames");
    return;
  }
  if (!has_frame || !dk_read_number(result, "offset", 0, INT64_MAX, &offset) ||
      !dk_read_number(result, "sequence", 1, INT64_MAX, &sequence) ||
      !dk_read_number(result, "timestamp", 0, INT64_MAX, &timestamp) || !dk_is_inside(viewfinder, (uint64_t)offset)) {
    dk_end_viewfinder(session, DARKROOM_PROTOCOL_ERROR, 0, "the server sent an unusable frame");
    return;
  }
  viewfinder->is_requested = false;
  viewfinder->has_arrived = true;
  viewfinder->offset = (uint64_t)offset;
  viewfinder->sequence = (uint64_t)sequence;
  viewfinder->timestamp = (uint64_t)timestamp;
  dk_host_enqueue(session->host, DARKROOM_HOST_FRAME, session, NULL);
  dk_announce_result(session);
}

int dk_viewfinder_request(darkroom_hosted_session *session) {
  struct dk_viewfinder *viewfinder = &session->viewfinder;
  bool is_open = viewfinder->stage == DK_STAGE_OPEN;
  struct dk_text text = dk_hosted_begin(session, is_open ? DK_METHOD_VIEWFINDER_NEXT : DK_METHOD_VIEWFINDER_OPEN);
  viewfinder->should_request = false;
  int failure = dk_host_post(session->host, &text, is_open ? DK_USE_FRAME : DK_USE_VIEWFINDER, session);
  if (failure == 0 && !is_open) viewfinder->stage = DK_STAGE_OPENING;
  return failure;
}

int darkroom_hosted_request_frame(darkroom_hosted_session *session) {
  struct dk_viewfinder *viewfinder = &session->viewfinder;
  viewfinder->held = 0;
  viewfinder->has_arrived = false;
  if (viewfinder->is_requested || viewfinder->stage == DK_STAGE_ENDED) return 0;
  viewfinder->is_requested = true;
  int failure = viewfinder->stage == DK_STAGE_OPENING ? 0 : dk_viewfinder_request(session);
  if (failure != 0) viewfinder->is_requested = false;
  return failure;
}

int darkroom_hosted_release_frame(darkroom_hosted_session *session) {
  struct dk_viewfinder *viewfinder = &session->viewfinder;
  bool is_used = viewfinder->held != 0 || viewfinder->has_arrived;
  viewfinder->held = 0;
  viewfinder->has_arrived = false;
  // A requested frame replaces the current one.
  if (!is_used || viewfinder->is_requested || viewfinder->stage != DK_STAGE_OPEN) return 0;
  struct dk_text text = dk_hosted_begin(session, DK_METHOD_VIEWFINDER_RELEASE);
  return dk_host_perform(session->host, &text);
}

/// Describes the arrived frame, which is then in use.
static void dk_take_arrived(darkroom_hosted_session *session, darkroom_frame *frame) {
  struct dk_viewfinder *viewfinder = &session->viewfinder;
  darkroom_frame found = DARKROOM_FRAME_INIT;
  found.sequence = viewfinder->sequence;
  found.timestamp = viewfinder->timestamp;
  if (viewfinder->last != 0 && found.sequence > viewfinder->last) found.dropped = found.sequence - viewfinder->last - 1;
  found.width = viewfinder->width;
  found.height = viewfinder->height;
  for (int index = 0; index < DK_FRAME_PLANES; index++) {
    const struct dk_frame_plane *plane = &viewfinder->planes[index];
    found.plane[index] = viewfinder->memory + viewfinder->offset + plane->offset;
    found.stride[index] = plane->stride;
    found.row_bytes[index] = plane->row_bytes;
    found.rows[index] = plane->rows;
  }
  viewfinder->has_arrived = false;
  viewfinder->held = viewfinder->last = viewfinder->sequence;
  // darkroom_frame_valid() compares this number with that of the frame.
  found.slot = &viewfinder->held;
  dk_copy_out(frame, &found, sizeof found);
}

int darkroom_hosted_take_frame(darkroom_hosted_session *session, darkroom_frame *frame, int timeout_ms) {
  struct dk_viewfinder *viewfinder = &session->viewfinder;
  darkroom_host *host = session->host;
  uint64_t deadline = dk_deadline(timeout_ms);
  if (!dk_host_accepts(host, frame, DK_LEAST(darkroom_frame, slot))) return DARKROOM_INVALID;
  viewfinder->held = 0;
  int failure = viewfinder->has_arrived ? 0 : darkroom_hosted_request_frame(session);
  if (failure != 0) return failure;
  while (!viewfinder->has_arrived && viewfinder->stage != DK_STAGE_ENDED) {
    int count = dk_host_wait_interruptibly(host, deadline);
    if (count < 0) return count;
    if (count == 0) return 0;
  }
  if (viewfinder->has_arrived) {
    dk_take_arrived(session, frame);
    return 1;
  }
  host->error = viewfinder->error;
  return host->error.code;
}

/// Saves an encoded image, or stores the error of its encoder.
static int dk_host_save(darkroom_host *host, const char *path, int result, uint8_t *bytes, size_t length) {
  if (result != 0)
    return dk_host_fail(host, result, result == DARKROOM_SYSTEM_ERROR ? ENOMEM : 0, dk_image_failure(result));
  int failure = dk_save_file(path, bytes, length);
  free(bytes);
  return failure == 0 ? 0 : dk_host_fail(host, DARKROOM_SYSTEM_ERROR, failure, "the file cannot be written");
}

int darkroom_host_save_png(darkroom_host *host, const darkroom_frame *frame, const char *path) {
  uint8_t *bytes = NULL;
  size_t length = 0;
  int result = darkroom_encode_png(frame, &bytes, &length);
  return dk_host_save(host, path, result, bytes, length);
}

int darkroom_host_save_jpeg(darkroom_host *host, const darkroom_frame *frame, const char *path, int quality) {
  uint8_t *bytes = NULL;
  size_t length = 0;
  int result = darkroom_encode_jpeg(frame, quality, &bytes, &length);
  return dk_host_save(host, path, result, bytes, length);
}
