// SPDX-License-Identifier: Apache-2.0
#ifndef DARKROOM_RESULTS_H
#define DARKROOM_RESULTS_H

#include "darkroom.h"

/// Stores an error. The text of `system_error`, an errno or 0, is appended to the text.
void dk_describe(darkroom_error *error, int code, int system_error, const char *text);

/// The size of a structure up to its last member of the first version, which callers of all later versions have.
#define DK_LEAST(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))
/// The largest size of a structure. A larger size is an uninitialized member.
#define DK_MOST 4096
/// Returns whether a structure of the caller exists and has at least a size, which is its first member.
bool dk_has_size(const void *structure, size_t least);
/// Copies a structure of the library to one of the caller that may be larger or smaller, and keeps its `size`.
void dk_copy_out(void *to, const void *from, size_t size);
/// Copies a structure of the caller to one of the library that may be larger or smaller.
void dk_copy_in(void *to, const void *from, size_t size);

/// Returns the current time in nanoseconds of CLOCK_MONOTONIC.
uint64_t dk_now(void);
/// Returns the milliseconds until a deadline for poll(2). The deadline 0 means no limit.
int dk_remaining(uint64_t deadline);
/// Returns the deadline after a timeout in milliseconds, or 0 for no limit.
uint64_t dk_deadline(int timeout);

/// Adds 1 to a counter (eventfd(2)), and preserves errno. Safe in signal handlers.
void dk_increment(int counter);
/// Resets a counter.
void dk_drain(int counter);

#endif
