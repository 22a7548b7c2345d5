// SPDX-License-Identifier: Apache-2.0
//
// Counted system calls and the files that they affect.
#ifndef DARKROOM_FAULTS_CALLS_H
#define DARKROOM_FAULTS_CALLS_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

/// A file operand of a system call.
struct operand {
  /// The index of the descriptor argument, `WORKING_DIRECTORY` for the working directory, or `NO_OPERAND` for no operand.
  signed char directory;
  /// The index of the path argument, or -1 if the operand is only a descriptor.
  signed char path;
};

enum { WORKING_DIRECTORY = -1, NO_OPERAND = -2 };

/// A system call that is counted.
struct call {
  long number;
  const char *name;
  struct operand first, second;
  /// The index of the length argument that `short` reduces, or -1 if there is none.
  signed char length;
};

/// The counted calls, terminated by an entry without a name.
extern const struct call calls[];

/// Returns the call with a number, or NULL if the call is not counted.
const struct call *call_with_number(uint64_t number);

/// Writes the paths that a call of a stopped thread names. Returns whether one of them is `under` or below
/// it.
int call_names_path_below(
    const struct call *call, pid_t thread, const uint64_t *arguments, const char *under, char *text, size_t capacity);

/// Returns the length to which `short` reduces a call.
uint64_t shortened_length(const struct call *call, uint64_t length);

#endif
