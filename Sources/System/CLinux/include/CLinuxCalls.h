// SPDX-License-Identifier: Apache-2.0
//
// The system calls that something outside this process refuses: a system call filter of a service manager or
// container runtime, or a kernel without the call.
#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The host's reaction to the refusal of a call.
enum darkroom_call_need {
  /// It can neither migrate nor erase content without the call.
  darkroom_call_required,
  /// The host uses other calls instead.
  darkroom_call_replaced,
};

/// A system call that a host makes after it has executed the program of a session.
struct darkroom_host_call {
  /// The name, as in `syscalls(2)`.
  const char *name;
  /// The host's reaction if the call is refused.
  enum darkroom_call_need need;
  /// The error that the kernel returns for the attempt, or 0 if the attempt succeeds.
  int32_t answer;
  /// Makes the call so that it changes nothing: with descriptor -1, or with a request that does nothing.
  long (*attempt)(void);
};

enum {
  /// The call returns success although the kernel does not make it.
  DARKROOM_REFUSAL_PRETENDED = -1,
  /// The call terminates the process.
  DARKROOM_REFUSAL_KILLED = -2,
};

/// This function is provided because the calls are made by macros and by functions that Swift cannot import.
///
/// Returns the calls, and stores their number in `count`.
const struct darkroom_host_call *darkroom_host_calls(size_t *count);

/// This function is provided because `errno` must be read right after the call.
///
/// Returns 0 if the kernel itself answers the call. Otherwise returns the error of the refusal, or
/// `DARKROOM_REFUSAL_PRETENDED` if the call returns success without being made.
int32_t darkroom_refusal(const struct darkroom_host_call *call);

/// This function is provided because only C code may run in a process between `fork` and its end.
///
/// Stores the result of ``darkroom_refusal`` for each of `count` calls, or `DARKROOM_REFUSAL_KILLED` for a
/// call that terminates the process. If this process has a filter, child processes make the calls.
void darkroom_host_refusals(const struct darkroom_host_call *calls, size_t count, int32_t *refusals);

/// The calls that the host replaces, by their index in ``darkroom_host_calls``.
enum darkroom_replaced_call {
  darkroom_replaced_openat2,
  darkroom_replaced_renameat2,
  darkroom_replaced_faccessat2,
};

/// This function is provided because glibc changes or hides the results of these calls.
///
/// Returns whether something outside this process refuses the call.
int darkroom_is_refused(enum darkroom_replaced_call call);

#pragma clang assume_nonnull end
