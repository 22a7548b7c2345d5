// SPDX-License-Identifier: Apache-2.0
#ifndef DARKROOM_IMAGE_H
#define DARKROOM_IMAGE_H

#include "darkroom.h"
#include "json.h"

/// Checks the arguments of an encoder. Returns 0 or a code.
int dk_check_image(const darkroom_frame *frame, uint8_t **bytes, size_t *length);
/// Returns an encoded file to the caller, unless memory was missing or the host has overwritten the frame.
int dk_return_image(const darkroom_frame *frame, struct dk_text *file, uint8_t **bytes, size_t *length);
/// Returns the text for a code of an encoder.
const char *dk_image_failure(int code);
/// The maximum length of a path with its zero byte.
#define DK_PATH_BYTES 4096
/// Saves bytes as a file that appears complete or not at all. Returns 0 or an errno.
int dk_save_file(const char *path, const void *bytes, size_t length);
/// Makes space for bytes that are written without dk_put_bytes(). Returns false without memory.
bool dk_reserve(struct dk_text *file, size_t length);
/// Appends a zlib stream (RFC 1950) of the bytes.
void dk_put_compressed(struct dk_text *file, const uint8_t *bytes, size_t length);

#endif
