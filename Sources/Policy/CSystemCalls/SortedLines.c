// SPDX-License-Identifier: Apache-2.0
#include "CSystemCalls.h"

#include <string.h>

/// Returns a negative number, zero or a positive number if a name precedes, equals or follows that of a line.
static int order(const unsigned char *name, size_t count, const unsigned char *line, size_t length) {
  const unsigned char *space = memchr(line, ' ', length);
  const size_t own = space != NULL ? (size_t)(space - line) : length;
  const int difference = memcmp(name, line, count < own ? count : own);
  return difference != 0 ? difference : (count > own) - (count < own);
}

struct embedded_file sorted_line(struct embedded_file text, const unsigned char *name, size_t count) {
  const unsigned char *first = text.bytes, *end = text.bytes + text.count;
  while (first < end) {
    const unsigned char *middle = first + (end - first) / 2;
    const unsigned char *before = memrchr(first, '\n', (size_t)(middle - first));
    const unsigned char *start = before != NULL ? before + 1 : first;
    const unsigned char *next = memchr(middle, '\n', (size_t)(end - middle));
    if (next == NULL) next = end;
    const int result = order(name, count, start, (size_t)(next - start));
    if (result == 0) return (struct embedded_file){start, (size_t)(next - start)};
    if (result < 0) {
      end = start;
    } else {
      first = next < end ? next + 1 : end;
    }
  }
  return (struct embedded_file){text.bytes, 0};
}
