// SPDX-License-Identifier: Apache-2.0
//
// Mutated messages for the fuzzers of the C library.
#ifndef MUTATION_H
#define MUTATION_H

#include <stdint.h>
#include <string.h>

/// A generator of pseudorandom numbers (xorshift64).
static _Thread_local uint64_t state;
static uint64_t roll(uint64_t sides) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % sides;
}

/// Changes, removes, repeats or inserts bytes of a line.
static size_t mutate(char *bytes, size_t length, size_t size) {
  static const char *const tokens[] = {"\"", "\\", "\\u0000", "\\ud800", "{", "}", "[", "]", ",", ":", "null", "-",
                                       "1e999", "99999999999999999999", "\xff", "\n", "id", "result", "error", "{\"a\":"};
  for (uint64_t count = roll(4); count > 0; count--) {
    size_t at = roll(length + 1), rest = length - at;
    switch (roll(4)) {
      case 0:
        if (rest > 0) bytes[at] = (char)roll(256);
        break;
      case 1: {
        size_t removed = roll(rest < 20 ? rest + 1 : 20);
        memmove(bytes + at, bytes + at + removed, rest - removed);
        length -= removed;
        break;
      }
      default: {
        const char *token = tokens[roll(sizeof tokens / sizeof *tokens)];
        for (uint64_t times = 1 + (roll(8) == 0 ? roll(64) : 0); times > 0; times--) {
          size_t added = strlen(token);
          if (length + added > size) break;
          memmove(bytes + at + added, bytes + at, length - at);
          memcpy(bytes + at, token, added);
          length += added;
        }
      }
    }
  }
  return length;
}

#endif
