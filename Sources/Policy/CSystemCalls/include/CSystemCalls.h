// SPDX-License-Identifier: Apache-2.0

#ifndef DARKROOM_CSYSTEMCALLS_H
#define DARKROOM_CSYSTEMCALLS_H

#include <stddef.h>

/// A file that was embedded when the program was built.
struct embedded_file {
  /// The first byte.
  const unsigned char *_Nonnull bytes;
  /// The number of bytes.
  size_t count;
};

/// Returns `syscalls.tsv`: the numbers of all calls on each architecture.
struct embedded_file system_call_numbers(void);

/// Returns `signatures.txt`: the parameters of calls.
struct embedded_file system_call_signatures(void);

/// Returns `constants.txt`: the names of argument values.
struct embedded_file system_call_constants(void);

/// Returns `ioctls.txt`: the names of the requests of ioctl(2).
struct embedded_file system_call_ioctls(void);

/// Returns the line of `text` that begins with a name and a space or consists of the name; the count is 0 if
/// there is none.
///
/// The lines must be sorted by the bytes of their names.
struct embedded_file sorted_line(struct embedded_file text, const unsigned char *_Nonnull name, size_t count);

#endif
