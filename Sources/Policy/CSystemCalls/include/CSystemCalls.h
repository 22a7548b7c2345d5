// SPDX-License-Identifier: Apache-2.0

#ifndef DARKROOM_CSYSTEMCALLS_H
#define DARKROOM_CSYSTEMCALLS_H

#include <stddef.h>

/// A file that was there when the program was built.
struct embedded_file {
  /// Its first byte.
  const unsigned char *_Nonnull bytes;
  /// How many there are.
  size_t count;
};

/// The numbers of all calls on each architecture.
struct embedded_file system_call_numbers(void);

/// What calls get and give.
struct embedded_file system_call_signatures(void);

/// The names of numbers that calls get.
struct embedded_file system_call_constants(void);

/// The names of the requests of ioctl(2).
struct embedded_file system_call_ioctls(void);

/// Returns the line of `text` that begins with a name and a space, or is the name; the count is 0 if there is none.
///
/// The lines are sorted by the bytes of their names.
struct embedded_file sorted_line(struct embedded_file text, const unsigned char *_Nonnull name, size_t count);

#endif
