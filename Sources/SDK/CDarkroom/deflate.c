// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#include <stdlib.h>
#include <string.h>

// A compressor for the format of RFC 1951, for PNG files. It is part of the library, so that an extension needs no file of
// the host in its sandbox.

/// The tokens of a block, the largest distance of a repetition, and the repetitions that are compared.
#define DK_TOKENS 32768
#define DK_WINDOW 32768
#define DK_CANDIDATES 12
/// The shortest and the longest repetition.
#define DK_SHORTEST 3
#define DK_LONGEST 258
/// The sizes of the alphabets: bytes with lengths, distances, lengths of codes.
#define DK_LITERALS 286
#define DK_DISTANCES 30
#define DK_LENGTHS 19
/// The symbol at the end of a block.
#define DK_BLOCK_END 256
/// The number of entries of the table of positions, as a power of two.
#define DK_HASH_BITS 15

static const uint16_t dk_length_base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                          31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t dk_length_extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const uint16_t dk_distance_base[] = {1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
                                            193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};

/// A code of an alphabet: the frequency of each symbol, the number of bits of its code, and the code.
struct dk_alphabet {
  uint32_t frequency[DK_LITERALS];
  uint8_t length[DK_LITERALS];
  uint16_t code[DK_LITERALS];
};

/// The state of a compressor.
struct dk_compressor {
  struct dk_text *file;
  uint64_t bits;
  unsigned bit_count;
  struct dk_alphabet literals, distances, lengths;
  /// A byte, or a length in the upper and a distance in the lower 16 bits.
  uint32_t tokens[DK_TOKENS];
  size_t token_count;
  /// The last position with a hash, and the previous position with the same hash; each plus one.
  size_t newest[1 << DK_HASH_BITS], previous[DK_WINDOW];
};

/// Appends bits, the least significant first.
static void dk_write_bits(struct dk_compressor *compressor, unsigned bits, unsigned count) {
  compressor->bits |= (uint64_t)bits << compressor->bit_count;
  compressor->bit_count += count;
  while (compressor->bit_count >= 8) {
    compressor->file->bytes[compressor->file->length++] = (char)compressor->bits;
    compressor->bits >>= 8;
    compressor->bit_count -= 8;
  }
}

/// Appends the code of a symbol.
static void dk_write_symbol(struct dk_compressor *compressor, const struct dk_alphabet *alphabet, unsigned symbol) {
  dk_write_bits(compressor, alphabet->code[symbol], alphabet->length[symbol]);
}

/// Returns the node with the smallest weight that has no parent, except for one.
static int dk_lightest(const uint64_t *weight, const int *parent, int count, int except) {
  int best = -1;
  for (int node = 0; node < count; node++)
    if (weight[node] > 0 && parent[node] < 0 && node != except && (best < 0 || weight[node] < weight[best])) best = node;
  return best;
}

/// Builds a Huffman tree, and returns the length of the longest code.
static unsigned dk_build_tree(struct dk_alphabet *alphabet, int symbols) {
  uint64_t weight[2 * DK_LITERALS];
  int parent[2 * DK_LITERALS], count = symbols;
  for (int node = 0; node < 2 * symbols; node++) {
    weight[node] = node < symbols ? alphabet->frequency[node] : 0;
    parent[node] = -1;
  }
  for (;;) {
    int first = dk_lightest(weight, parent, count, -1), second = dk_lightest(weight, parent, count, first);
    if (second < 0) break;
    weight[count] = weight[first] + weight[second];
    parent[first] = parent[second] = count++;
  }
  unsigned longest = 0;
  for (int symbol = 0; symbol < symbols; symbol++) {
    unsigned length = 0;
    for (int node = symbol; parent[node] >= 0; node = parent[node]) length++;
    // A code with a single symbol has one bit.
    if (length == 0 && weight[symbol] > 0) length = 1;
    alphabet->length[symbol] = (uint8_t)length;
    if (length > longest) longest = length;
  }
  return longest;
}

/// Assigns codes to the symbols by their frequencies, with a maximum length.
static void dk_build_codes(struct dk_alphabet *alphabet, int symbols, unsigned limit) {
  // Smaller differences between the frequencies make the tree less deep.
  while (dk_build_tree(alphabet, symbols) > limit)
    for (int symbol = 0; symbol < symbols; symbol++)
      if (alphabet->frequency[symbol] > 0) alphabet->frequency[symbol] = alphabet->frequency[symbol] / 2 + 1;
  unsigned code = 0;
  for (unsigned length = 1; length <= limit; length++, code <<= 1)
    for (int symbol = 0; symbol < symbols; symbol++) {
      if (alphabet->length[symbol] != length) continue;
      unsigned reversed = 0;
      for (unsigned bit = 0; bit < length; bit++) reversed |= (code >> bit & 1) << (length - 1 - bit);
      alphabet->code[symbol] = (uint16_t)reversed;
      code++;
    }
}

/// Returns the symbol of a repetition's length, from 0.
static unsigned dk_length_symbol(unsigned length) {
  unsigned symbol = 28;
  while (dk_length_base[symbol] > length) symbol--;
  return symbol;
}

/// Returns the symbol of a distance.
static unsigned dk_distance_symbol(unsigned distance) {
  unsigned symbol = 29;
  while (dk_distance_base[symbol] > distance) symbol--;
  return symbol;
}

/// Appends the lengths of the codes, from which the reader builds the same codes.
static void dk_write_codes(struct dk_compressor *compressor) {
  static const uint8_t order[DK_LENGTHS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  struct dk_alphabet *lengths = &compressor->lengths;
  memset(lengths, 0, sizeof *lengths);
  for (int symbol = 0; symbol < DK_LITERALS; symbol++) lengths->frequency[compressor->literals.length[symbol]]++;
  for (int symbol = 0; symbol < DK_DISTANCES; symbol++) lengths->frequency[compressor->distances.length[symbol]]++;
  dk_build_codes(lengths, DK_LENGTHS, 7);
  dk_write_bits(compressor, DK_LITERALS - 257, 5);
  dk_write_bits(compressor, DK_DISTANCES - 1, 5);
  dk_write_bits(compressor, DK_LENGTHS - 4, 4);
  for (int index = 0; index < DK_LENGTHS; index++) dk_write_bits(compressor, lengths->length[order[index]], 3);
  for (int symbol = 0; symbol < DK_LITERALS; symbol++)
    dk_write_symbol(compressor, lengths, compressor->literals.length[symbol]);
  for (int symbol = 0; symbol < DK_DISTANCES; symbol++)
    dk_write_symbol(compressor, lengths, compressor->distances.length[symbol]);
}

/// Appends a repetition.
static void dk_write_repetition(struct dk_compressor *compressor, unsigned length, unsigned distance) {
  unsigned symbol = dk_length_symbol(length);
  dk_write_symbol(compressor, &compressor->literals, 257 + symbol);
  dk_write_bits(compressor, length - dk_length_base[symbol], dk_length_extra[symbol]);
  symbol = dk_distance_symbol(distance);
  dk_write_symbol(compressor, &compressor->distances, symbol);
  dk_write_bits(compressor, distance - dk_distance_base[symbol], symbol < 4 ? 0 : symbol / 2 - 1);
}

/// Appends the collected tokens as a block with its own codes.
static void dk_write_block(struct dk_compressor *compressor, bool is_last) {
  // 48 bits are the most of a token.
  if (!dk_reserve(compressor->file, compressor->token_count * 6 + 1024)) return;
  compressor->literals.frequency[DK_BLOCK_END] = 1;
  // A code without symbols would be invalid.
  if (compressor->distances.frequency[0] == 0) compressor->distances.frequency[0] = 1;
  dk_build_codes(&compressor->literals, DK_LITERALS, 15);
  dk_build_codes(&compressor->distances, DK_DISTANCES, 15);
  dk_write_bits(compressor, is_last ? 1 : 0, 1);
  dk_write_bits(compressor, 2, 2);
  dk_write_codes(compressor);
  for (size_t index = 0; index < compressor->token_count; index++) {
    uint32_t token = compressor->tokens[index];
    if (token >> 16 == 0)
      dk_write_symbol(compressor, &compressor->literals, token);
    else
      dk_write_repetition(compressor, token >> 16, (token & 0xFFFF) + 1);
  }
  dk_write_symbol(compressor, &compressor->literals, DK_BLOCK_END);
  compressor->token_count = 0;
  memset(compressor->literals.frequency, 0, sizeof compressor->literals.frequency);
  memset(compressor->distances.frequency, 0, sizeof compressor->distances.frequency);
}

/// Adds a byte or a repetition (`length` > 0), and writes the block when it is full.
static void dk_add_token(struct dk_compressor *compressor, unsigned byte, unsigned length, unsigned distance) {
  if (length == 0) {
    compressor->literals.frequency[byte]++;
    compressor->tokens[compressor->token_count++] = byte;
  } else {
    compressor->literals.frequency[257 + dk_length_symbol(length)]++;
    compressor->distances.frequency[dk_distance_symbol(distance)]++;
    compressor->tokens[compressor->token_count++] = length << 16 | (distance - 1);
  }
  if (compressor->token_count == DK_TOKENS) dk_write_block(compressor, false);
}

/// Returns the hash of three bytes.
static size_t dk_hash(const uint8_t *bytes) {
  uint32_t value = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
  return value * 2654435761U >> (32 - DK_HASH_BITS);
}

/// Remembers a position.
static void dk_remember(struct dk_compressor *compressor, const uint8_t *bytes, size_t position) {
  size_t hash = dk_hash(bytes + position);
  compressor->previous[position % DK_WINDOW] = compressor->newest[hash];
  compressor->newest[hash] = position + 1;
}

/// Finds the longest repetition of the bytes at a position. Returns its length, or 0.
static unsigned dk_find_repetition(const struct dk_compressor *compressor, const uint8_t *bytes, size_t position,
                                   size_t length, unsigned *distance) {
  size_t limit = length - position < DK_LONGEST ? length - position : DK_LONGEST, best = 0;
  size_t candidate = compressor->newest[dk_hash(bytes + position)];
  for (int attempt = 0; attempt < DK_CANDIDATES && candidate > 0; attempt++) {
    size_t start = candidate - 1, same = 0;
    if (position - start > DK_WINDOW) break;
    while (same < limit && bytes[start + same] == bytes[position + same]) same++;
    if (same > best) {
      best = same;
      *distance = (unsigned)(position - start);
    }
    size_t next = compressor->previous[start % DK_WINDOW];
    // The entry of an older position can be overwritten by a newer one.
    if (best == limit || next >= candidate) break;
    candidate = next;
  }
  return best < DK_SHORTEST ? 0 : (unsigned)best;
}

/// Divides the bytes into single bytes and repetitions.
static void dk_tokenize(struct dk_compressor *compressor, const uint8_t *bytes, size_t length) {
  size_t position = 0;
  while (position < length) {
    unsigned repeated = 0, distance = 0;
    bool is_hashed = length - position >= DK_SHORTEST;
    if (is_hashed) repeated = dk_find_repetition(compressor, bytes, position, length, &distance);
    dk_add_token(compressor, bytes[position], repeated, distance);
    for (size_t end = position + (repeated == 0 ? 1 : repeated); position < end; position++)
      if (length - position >= DK_SHORTEST) dk_remember(compressor, bytes, position);
  }
}

/// Computes the checksum of a zlib stream (Adler-32).
static uint32_t dk_adler(const uint8_t *bytes, size_t length) {
  uint32_t low = 1, high = 0;
  while (length > 0) {
    // The most bytes after which the sums fit into 32 bits.
    size_t count = length < 5552 ? length : 5552;
    for (size_t index = 0; index < count; index++) {
      low += bytes[index];
      high += low;
    }
    low %= 65521;
    high %= 65521;
    bytes += count;
    length -= count;
  }
  return high << 16 | low;
}

void dk_put_compressed(struct dk_text *file, const uint8_t *bytes, size_t length) {
  struct dk_compressor *compressor = calloc(1, sizeof *compressor);
  if (compressor == NULL) {
    file->failed = true;
    return;
  }
  compressor->file = file;
  dk_put_bytes(file, "\x78\x5E", 2);
  dk_tokenize(compressor, bytes, length);
  dk_write_block(compressor, true);
  if (!file->failed) dk_write_bits(compressor, 0, 7);
  uint32_t sum = dk_adler(bytes, length);
  const uint8_t trailer[] = {(uint8_t)(sum >> 24), (uint8_t)(sum >> 16), (uint8_t)(sum >> 8), (uint8_t)sum};
  dk_put_bytes(file, trailer, sizeof trailer);
  free(compressor);
}
