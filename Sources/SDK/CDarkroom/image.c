// SPDX-License-Identifier: Apache-2.0
#include "image.h"
#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/// The largest side that both formats and the rings support.
#define DK_IMAGE_SIDE 16384

int dk_check_image(const darkroom_frame *frame, uint8_t **bytes, size_t *length) {
  if (bytes == NULL || length == NULL || !dk_has_size(frame, DK_LEAST(darkroom_frame, slot))) return DARKROOM_INVALID;
  if (frame->width == 0 || frame->height == 0) return DARKROOM_INVALID;
  if (frame->width > DK_IMAGE_SIDE || frame->height > DK_IMAGE_SIDE) return DARKROOM_TOO_LARGE;
  for (int index = 0; index < 3; index++) {
    uint32_t width = index == 0 ? frame->width : (frame->width + 1) / 2;
    uint32_t height = index == 0 ? frame->height : (frame->height + 1) / 2;
    if (frame->plane[index] == NULL || frame->row_bytes[index] != width || frame->rows[index] != height)
      return DARKROOM_INVALID;
  }
  return 0;
}

int dk_return_image(const darkroom_frame *frame, struct dk_text *file, uint8_t **bytes, size_t *length) {
  int result = file->failed ? DARKROOM_SYSTEM_ERROR : !darkroom_frame_valid(frame) ? DARKROOM_OVERWRITTEN : 0;
  if (result != 0) {
    dk_discard(file);
    return result;
  }
  *bytes = (uint8_t *)file->bytes;
  *length = file->length;
  return 0;
}

bool dk_reserve(struct dk_text *file, size_t length) {
  if (!file->failed && file->capacity - file->length < length) {
    size_t capacity = (file->length + length) * 2;
    char *larger = realloc(file->bytes, capacity);
    if (larger == NULL) {
      file->failed = true;
    } else {
      file->bytes = larger;
      file->capacity = capacity;
    }
  }
  return !file->failed;
}

int darkroom_save(darkroom_session *session, const char *path, const void *bytes, size_t length) {
  char target[DK_PATH_BYTES];
  bool is_absolute = path[0] == '/';
  int count = snprintf(target, sizeof target, "%s%s%s", is_absolute ? "" : session->info.session_directory,
                       is_absolute ? "" : "/", path);
  if (count < 0 || (size_t)count >= sizeof target) return dk_fail(session, DARKROOM_TOO_LARGE, 0, "the path is too long");
  int failure = dk_save_file(target, bytes, length);
  return failure == 0 ? 0 : dk_fail(session, DARKROOM_SYSTEM_ERROR, failure, "the file cannot be written");
}

const char *dk_image_failure(int code) {
  switch (code) {
    case DARKROOM_OVERWRITTEN: return "the host has overwritten the frame";
    case DARKROOM_SYSTEM_ERROR: return "no memory for an image";
    case DARKROOM_TOO_LARGE: return "the image is too large";
    default: return "the frame or the quality is invalid";
  }
}

/// Saves an encoded image, or stores the error of its encoder.
static int dk_save_image(darkroom_session *session, const char *path, int result, uint8_t *bytes, size_t length) {
  if (result != 0)
    return dk_fail(session, result, result == DARKROOM_SYSTEM_ERROR ? ENOMEM : 0, dk_image_failure(result));
  result = darkroom_save(session, path, bytes, length);
  free(bytes);
  return result;
}

int darkroom_save_jpeg(darkroom_session *session, const darkroom_frame *frame, const char *path, int quality) {
  uint8_t *bytes = NULL;
  size_t length = 0;
  int result = darkroom_encode_jpeg(frame, quality, &bytes, &length);
  return dk_save_image(session, path, result, bytes, length);
}

int darkroom_save_png(darkroom_session *session, const darkroom_frame *frame, const char *path) {
  uint8_t *bytes = NULL;
  size_t length = 0;
  int result = darkroom_encode_png(frame, &bytes, &length);
  return dk_save_image(session, path, result, bytes, length);
}
