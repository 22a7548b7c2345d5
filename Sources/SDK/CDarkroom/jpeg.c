// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#include <string.h>

// A baseline JPEG encoder (ITU-T T.81) for 4:2:0. It is part of the library, because an extension that loads libjpeg-turbo
// needs that library in its sandbox, and a static extension cannot load it at all.

/// The most bytes of an encoded block: 64 coefficients of 26 bits, and a stuffed byte after each.
#define DK_BLOCK_BYTES 512

/// The order of the coefficients in the file.
static const uint8_t dk_zigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
                                      41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
                                      30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

/// The quantization tables of annex K: brightness and colour.
static const uint8_t dk_quantization[2][64] = {
    {16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,  14, 13, 16, 24, 40,  57,
     69, 56, 14, 17, 22,  29,  51,  87,  80, 62, 18, 22, 37,  56,  68,  109, 103, 77, 24, 35, 55, 64,
     81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99},
    {17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99,
     99, 99, 47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
     99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99}};

/// A Huffman table of annex K: the identifier in the file, the number of codes of each length, and the values.
struct dk_code_table {
  uint8_t identifier, counts[16], values[162];
};

static const struct dk_code_table dk_code_tables[4] = {
    {0x00, {0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0},
     {
            0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B}},
    {0x10, {0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125},
     {
            0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07,
            0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0,
            0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0A, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x25, 0x26, 0x27, 0x28,
            0x29, 0x2A, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49,
            0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69,
            0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89,
            0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7,
            0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3, 0xC4, 0xC5,
            0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xE1, 0xE2,
            0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8,
            0xF9, 0xFA}},
    {0x01, {0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0},
     {
            0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B}},
    {0x11, {0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119},
     {
            0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71,
            0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33, 0x52, 0xF0,
            0x15, 0x62, 0x72, 0xD1, 0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1, 0x17, 0x18, 0x19, 0x1A, 0x26,
            0x27, 0x28, 0x29, 0x2A, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48,
            0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68,
            0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87,
            0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0xA2, 0xA3, 0xA4, 0xA5,
            0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3,
            0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA,
            0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8,
            0xF9, 0xFA}},
};

/// The code and its length of each value.
struct dk_codes {
  uint16_t code[256];
  uint8_t length[256];
};

/// The state of an encoder.
struct dk_jpeg {
  struct dk_text *file;
  /// The bits that are not written yet, and their number.
  uint64_t bits;
  unsigned bit_count;
  /// The quantization tables in natural order, and the factors that also complete the transformation.
  uint8_t quantization[2][64];
  float factors[2][64];
  /// The codes of the four tables, and the previous DC coefficient of each plane.
  struct dk_codes codes[4];
  int previous[3];
};

/// Assigns the codes of a Huffman table.
static void dk_assign_codes(const struct dk_code_table *table, struct dk_codes *codes) {
  uint16_t code = 0;
  unsigned next = 0;
  memset(codes, 0, sizeof *codes);
  for (uint8_t length = 1; length <= 16; length++, code = (uint16_t)(code << 1))
    for (unsigned count = table->counts[length - 1]; count > 0; count--, next++) {
      codes->code[table->values[next]] = code++;
      codes->length[table->values[next]] = length;
    }
}

/// Computes the quantization tables of a quality, as libjpeg does.
static void dk_quantize_for(struct dk_jpeg *jpeg, int quality) {
  // The algorithm of Arai, Agui and Nakajima leaves these factors in the coefficients.
  static const float scale[8] = {1.0F,         1.387039845F, 1.306562965F, 1.175875602F,
                                 1.0F,         0.785694958F, 0.541196100F, 0.275899379F};
  int percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  for (int table = 0; table < 2; table++)
    for (int index = 0; index < 64; index++) {
      int step = (dk_quantization[table][index] * percent + 50) / 100;
      jpeg->quantization[table][index] = (uint8_t)(step < 1 ? 1 : step > 255 ? 255 : step);
      jpeg->factors[table][index] =
          1.0F / ((float)jpeg->quantization[table][index] * scale[index / 8] * scale[index % 8] * 8.0F);
    }
}

/// Transforms eight values with the distance `stride`.
static void dk_transform(float *value, int stride) {
  float sum[4], difference[4];
  for (int index = 0; index < 4; index++) {
    sum[index] = value[index * stride] + value[(7 - index) * stride];
    difference[index] = value[index * stride] - value[(7 - index) * stride];
  }
  float even0 = sum[0] + sum[3], even3 = sum[0] - sum[3], even1 = sum[1] + sum[2], even2 = sum[1] - sum[2];
  float rotated = (even2 + even3) * 0.707106781F;
  value[0] = even0 + even1;
  value[4 * stride] = even0 - even1;
  value[2 * stride] = even3 + rotated;
  value[6 * stride] = even3 - rotated;
  float odd0 = difference[3] + difference[2], odd1 = difference[2] + difference[1], odd2 = difference[1] + difference[0];
  float common = (odd0 - odd2) * 0.382683433F;
  float low = odd0 * 0.541196100F + common, high = odd2 * 1.306562965F + common, middle = odd1 * 0.707106781F;
  float plus = difference[0] + middle, minus = difference[0] - middle;
  value[5 * stride] = minus + low;
  value[3 * stride] = minus - low;
  value[stride] = plus + high;
  value[7 * stride] = plus - high;
}

/// Appends bits. The caller has reserved the space of a block.
static void dk_put_bits(struct dk_jpeg *jpeg, unsigned bits, unsigned count) {
  jpeg->bits = jpeg->bits << count | bits;
  jpeg->bit_count += count;
  while (jpeg->bit_count >= 8) {
    jpeg->bit_count -= 8;
    uint8_t byte = (uint8_t)(jpeg->bits >> jpeg->bit_count);
    jpeg->file->bytes[jpeg->file->length++] = (char)byte;
    // A zero after 0xFF distinguishes data from a marker.
    if (byte == 0xFF) jpeg->file->bytes[jpeg->file->length++] = 0;
  }
}

/// Appends a value after the code for its run of zeros and its number of bits.
static void dk_put_coefficient(struct dk_jpeg *jpeg, const struct dk_codes *codes, unsigned run, int value) {
  unsigned magnitude = (unsigned)(value < 0 ? -value : value), count = 0;
  while (magnitude >> count != 0) count++;
  unsigned symbol = run << 4 | count;
  dk_put_bits(jpeg, codes->code[symbol], codes->length[symbol]);
  unsigned bits = (unsigned)(value < 0 ? value - 1 : value) & ((1U << count) - 1);
  dk_put_bits(jpeg, bits, count);
}

/// Rounds a coefficient to an integer that baseline JPEG can represent.
static int dk_round(float value) {
  int integer = (int)(value < 0 ? value - 0.5F : value + 0.5F);
  return integer < -1023 ? -1023 : integer > 1023 ? 1023 : integer;
}

/// Reads a block of a plane, and repeats the last column and row outside of the plane.
static void dk_read_block(const darkroom_frame *frame, int plane, uint32_t left, uint32_t top, float *block) {
  uint32_t last_column = frame->row_bytes[plane] - 1, last_row = frame->rows[plane] - 1;
  for (uint32_t row = 0; row < 8; row++) {
    uint32_t y = top + row < last_row ? top + row : last_row;
    const uint8_t *source = frame->plane[plane] + (size_t)y * frame->stride[plane];
    for (uint32_t column = 0; column < 8; column++) {
      uint32_t x = left + column < last_column ? left + column : last_column;
      block[row * 8 + column] = (float)source[x] - 128.0F;
    }
  }
}

/// Encodes a block of a plane.
static void dk_put_block(struct dk_jpeg *jpeg, const darkroom_frame *frame, int plane, uint32_t left, uint32_t top) {
  float block[64];
  int table = plane == 0 ? 0 : 1, coefficients[64], last = 0;
  const struct dk_codes *direct = &jpeg->codes[2 * table], *alternating = &jpeg->codes[2 * table + 1];
  dk_read_block(frame, plane, left, top, block);
  for (int row = 0; row < 8; row++) dk_transform(block + row * 8, 1);
  for (int column = 0; column < 8; column++) dk_transform(block + column, 8);
  for (int index = 0; index < 64; index++) {
    int source = dk_zigzag[index];
    coefficients[index] = dk_round(block[source] * jpeg->factors[table][source]);
    if (coefficients[index] != 0) last = index;
  }
  dk_put_coefficient(jpeg, direct, 0, coefficients[0] - jpeg->previous[plane]);
  jpeg->previous[plane] = coefficients[0];
  unsigned run = 0;
  for (int index = 1; index <= last; index++, run++) {
    if (coefficients[index] == 0) continue;
    for (; run >= 16; run -= 16) dk_put_bits(jpeg, alternating->code[0xF0], alternating->length[0xF0]);
    dk_put_coefficient(jpeg, alternating, run, coefficients[index]);
    run = (unsigned)-1;
  }
  // The end of the block.
  if (last < 63) dk_put_bits(jpeg, alternating->code[0], alternating->length[0]);
}

/// Appends all blocks: four of brightness and one of each colour for 16 times 16 pixels.
static void dk_put_blocks(struct dk_jpeg *jpeg, const darkroom_frame *frame) {
  for (uint32_t top = 0; top < frame->height; top += 16)
    for (uint32_t left = 0; left < frame->width; left += 16) {
      if (!dk_reserve(jpeg->file, 6 * DK_BLOCK_BYTES)) return;
      for (uint32_t block = 0; block < 4; block++)
        dk_put_block(jpeg, frame, 0, left + block % 2 * 8, top + block / 2 * 8);
      dk_put_block(jpeg, frame, 1, left / 2, top / 2);
      dk_put_block(jpeg, frame, 2, left / 2, top / 2);
    }
  // The last byte is filled with ones.
  dk_put_bits(jpeg, 0x7F, 7);
}

/// Appends the headers up to the start of the scan.
static void dk_put_headers(struct dk_jpeg *jpeg, const darkroom_frame *frame) {
  static const uint8_t start[] = {0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0};
  const uint8_t size[] = {0xFF,
                          0xC0,
                          0,
                          17,
                          8,
                          (uint8_t)(frame->height >> 8),
                          (uint8_t)frame->height,
                          (uint8_t)(frame->width >> 8),
                          (uint8_t)frame->width,
                          3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1};
  static const uint8_t scan[] = {0xFF, 0xDA, 0, 12, 3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0};
  dk_put_bytes(jpeg->file, start, sizeof start);
  for (uint8_t table = 0; table < 2; table++) {
    const uint8_t header[] = {0xFF, 0xDB, 0, 67, table};
    dk_put_bytes(jpeg->file, header, sizeof header);
    for (int index = 0; index < 64; index++)
      dk_put_bytes(jpeg->file, &jpeg->quantization[table][dk_zigzag[index]], 1);
  }
  dk_put_bytes(jpeg->file, size, sizeof size);
  for (int table = 0; table < 4; table++) {
    const struct dk_code_table *codes = &dk_code_tables[table];
    uint8_t count = 0;
    for (int index = 0; index < 16; index++) count = (uint8_t)(count + codes->counts[index]);
    const uint8_t header[] = {0xFF, 0xC4, 0, (uint8_t)(19 + count), codes->identifier};
    dk_put_bytes(jpeg->file, header, sizeof header);
    dk_put_bytes(jpeg->file, codes->counts, sizeof codes->counts);
    dk_put_bytes(jpeg->file, codes->values, count);
  }
  dk_put_bytes(jpeg->file, scan, sizeof scan);
}

int darkroom_encode_jpeg(const darkroom_frame *frame, int quality, uint8_t **bytes, size_t *length) {
  struct dk_text file = {0};
  struct dk_jpeg jpeg = {.file = &file};
  int result = dk_check_image(frame, bytes, length);
  if (result != 0) return result;
  if (quality < 1 || quality > 100) return DARKROOM_INVALID;
  dk_quantize_for(&jpeg, quality);
  for (int table = 0; table < 4; table++) dk_assign_codes(&dk_code_tables[table], &jpeg.codes[table]);
  dk_put_headers(&jpeg, frame);
  dk_put_blocks(&jpeg, frame);
  static const uint8_t end[] = {0xFF, 0xD9};
  dk_put_bytes(&file, end, sizeof end);
  return dk_return_image(frame, &file, bytes, length);
}
