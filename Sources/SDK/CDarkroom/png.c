// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#include <stdlib.h>
#include <string.h>

/// The bytes of a pixel: red, green, blue.
#define DK_PIXEL 3
/// The filters of a row (PNG, section 9): none, left, above, average, Paeth.
#define DK_FILTERS 5

/// Appends a number with its most significant byte first.
static void dk_put_number32(struct dk_text *file, uint32_t number) {
  const uint8_t bytes[] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number};
  dk_put_bytes(file, bytes, sizeof bytes);
}

/// Computes the checksum of PNG chunks (CRC-32) four bits at a time.
static uint32_t dk_checksum(const char *bytes, size_t length) {
  uint32_t table[16], value = 0xFFFFFFFF;
  for (uint32_t index = 0; index < 16; index++) {
    table[index] = index;
    for (int bit = 0; bit < 4; bit++) table[index] = table[index] >> 1 ^ (table[index] & 1 ? 0xEDB88320 : 0);
  }
  for (size_t index = 0; index < length; index++) {
    value ^= (uint8_t)bytes[index];
    value = value >> 4 ^ table[value & 15];
    value = value >> 4 ^ table[value & 15];
  }
  return ~value;
}

/// Starts a chunk with an unknown length, and returns the position of the chunk.
static size_t dk_begin_chunk(struct dk_text *file, const char *type) {
  size_t position = file->length;
  dk_put_number32(file, 0);
  dk_put(file, type);
  return position;
}

/// Completes a chunk.
static void dk_end_chunk(struct dk_text *file, size_t position) {
  if (file->failed) return;
  uint32_t length = (uint32_t)(file->length - position - 8);
  for (int index = 0; index < 4; index++) file->bytes[position + (size_t)index] = (char)(length >> (24 - 8 * index));
  dk_put_number32(file, dk_checksum(file->bytes + position + 4, (size_t)length + 4));
}

/// Converts a component with 16 fractional bits.
static uint8_t dk_component(int32_t value) {
  value = (value + 32768) >> 16;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// Converts a row to red, green and blue, with the matrix of JFIF.
static void dk_convert_row(const darkroom_frame *frame, uint32_t row, uint8_t *pixels) {
  const uint8_t *brightness = frame->plane[0] + (size_t)row * frame->stride[0];
  const uint8_t *blue = frame->plane[1] + (size_t)(row / 2) * frame->stride[1];
  const uint8_t *red = frame->plane[2] + (size_t)(row / 2) * frame->stride[2];
  for (uint32_t column = 0; column < frame->width; column++) {
    int32_t y = brightness[column] * 65536, cb = blue[column / 2] - 128, cr = red[column / 2] - 128;
    *pixels++ = dk_component(y + 91881 * cr);
    *pixels++ = dk_component(y - 22554 * cb - 46802 * cr);
    *pixels++ = dk_component(y + 116130 * cb);
  }
}

/// Predicts a byte from the pixels to the left, above, and above to the left.
static uint8_t dk_predict(int filter, int left, int above, int corner) {
  if (filter == 0) return 0;
  if (filter == 1) return (uint8_t)left;
  if (filter == 2) return (uint8_t)above;
  if (filter == 3) return (uint8_t)((left + above) / 2);
  int estimate = left + above - corner;
  int by_left = abs(estimate - left), by_above = abs(estimate - above), by_corner = abs(estimate - corner);
  return (uint8_t)(by_left <= by_above && by_left <= by_corner ? left : by_above <= by_corner ? above : corner);
}

/// Filters a row, and returns the sum of the absolute differences.
static uint64_t dk_filter_row(int filter, const uint8_t *row, const uint8_t *above, size_t length, uint8_t *out) {
  uint64_t sum = 0;
  *out++ = (uint8_t)filter;
  for (size_t index = 0; index < length; index++) {
    int left = index < DK_PIXEL ? 0 : row[index - DK_PIXEL], corner = index < DK_PIXEL ? 0 : above[index - DK_PIXEL];
    out[index] = (uint8_t)(row[index] - dk_predict(filter, left, above[index], corner));
    sum += out[index] < 128 ? out[index] : 256U - out[index];
  }
  return sum;
}

/// Filters all rows. For each row, the filter with the smallest differences is used. Returns NULL without memory.
static uint8_t *dk_filter_image(const darkroom_frame *frame) {
  size_t length = (size_t)frame->width * DK_PIXEL;
  uint8_t *filtered = malloc((length + 1) * frame->height);
  // Two rows of pixels, and a filtered row.
  uint8_t *rows = calloc(3, length + 1);
  for (uint32_t row = 0; row < frame->height && filtered != NULL && rows != NULL; row++) {
    uint8_t *current = rows + row % 2 * length, *above = rows + (row + 1) % 2 * length, *trial = rows + 2 * length;
    uint8_t *out = filtered + row * (length + 1);
    dk_convert_row(frame, row, current);
    uint64_t best = dk_filter_row(0, current, above, length, out);
    for (int filter = 1; filter < DK_FILTERS; filter++) {
      uint64_t sum = dk_filter_row(filter, current, above, length, trial);
      if (sum >= best) continue;
      best = sum;
      memcpy(out, trial, length + 1);
    }
  }
  if (rows == NULL) {
    free(filtered);
    filtered = NULL;
  }
  free(rows);
  return filtered;
}

int darkroom_encode_png(const darkroom_frame *frame, uint8_t **bytes, size_t *length) {
  // 8 bits of each component, without an alpha channel and without interlacing.
  static const uint8_t format[] = {8, 2, 0, 0, 0};
  struct dk_text file = {0};
  int result = dk_check_image(frame, bytes, length);
  if (result != 0) return result;
  uint8_t *filtered = dk_filter_image(frame);
  if (filtered == NULL) return DARKROOM_SYSTEM_ERROR;
  dk_put_bytes(&file, "\x89PNG\r\n\x1A\n", 8);
  size_t chunk = dk_begin_chunk(&file, "IHDR");
  dk_put_number32(&file, frame->width);
  dk_put_number32(&file, frame->height);
  dk_put_bytes(&file, format, sizeof format);
  dk_end_chunk(&file, chunk);
  chunk = dk_begin_chunk(&file, "IDAT");
  dk_put_compressed(&file, filtered, ((size_t)frame->width * DK_PIXEL + 1) * frame->height);
  free(filtered);
  dk_end_chunk(&file, chunk);
  dk_end_chunk(&file, dk_begin_chunk(&file, "IEND"));
  return dk_return_image(frame, &file, bytes, length);
}
