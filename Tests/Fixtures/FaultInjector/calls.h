// SPDX-License-Identifier: Apache-2.0
//
// Which calls are counted, and of which files they are.
#ifndef DARKROOM_FAULTS_CALLS_H
#define DARKROOM_FAULTS_CALLS_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

/// A place that a call names.
struct place {
  /// The argument that is the descriptor; `CURRENT`: the working directory; `NOWHERE`: there is no such place.
  signed char directory;
  /// The argument that is the path below it; -1: the descriptor alone.
  signed char path;
};

enum { CURRENT = -1, NOWHERE = -2 };

/// A call that is counted.
struct call {
  long number;
  const char *name;
  struct place first, second;
  /// The argument that is a length, which `short` makes smaller; -1: there is none.
  signed char length;
};

/// The calls, ended by one without a name.
extern const struct call calls[];

/// The call with a number; NULL if it is not counted.
const struct call *call_with_number(uint64_t number);

/// Writes the places that a call of a stopped thread names, and says whether one of them is `under` or below it.
int call_is_below(
    const struct call *call, pid_t thread, const uint64_t *arguments, const char *under, char *text, size_t room);

/// The length to which `short` cuts a call.
uint64_t shortened(const struct call *call, uint64_t length);

#endif
