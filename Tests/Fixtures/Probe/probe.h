// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The result of an attempt as an exit code.
enum verdict {
  /// The attempt did what a sandboxed program must not be able to do.
  SUCCEEDED = 0,
  /// The attempt was refused or found nothing.
  REFUSED = 10,
  /// The attempt could not be made.
  UNTRIED = 11,
};

/// One attempt of a sandboxed program.
struct attempt {
  /// The name, or null at the end of a list.
  const char *name;
  /// The default argument. The host replaces names in braces.
  const char *argument;
  /// The layers that are expected to refuse the attempt: comma-separated names of `Layer`.
  const char *layers;
  /// A short description, or null for tools of the tests that are not attacks.
  const char *summary;
  /// Returns a negative number and sets errno if the attempt was refused. Null if the attempt is the call
  /// below.
  long (*run)(const char *argument);
  /// A system call without preparation.
  long number, arguments[6];
};

#define TRY(name_, run_, argument_, layers_, words_)                                                                  \
  {.name = name_, .run = run_, .argument = argument_, .layers = layers_, .summary = words_}
#define CALL(name_, layers_, words_, number_, ...)                                                                    \
  {.name = name_, .layers = layers_, .summary = words_, .number = number_, .arguments = {__VA_ARGS__}}
#define TOOL(name_, run_) {.name = name_, .run = run_}
#define END {.name = 0}

/// A pointer as an argument of a system call.
#define P(pointer) (long)(pointer)
/// The lowest bit above a 32-bit argument.
#define HIGH (1L << 32)

/// Appends to the printed line.
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// The time of a session's clocks at its start, in seconds: `SessionClocks.start` of the module SandboxLaunch.
enum { session_clock_start = 3600 };

/// Reports that the attempt cannot be made and exits.
__attribute__((noreturn)) void untried(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Returns a refusal without an error, because nothing was found.
long found_nothing(void);

/// Executes this program again in a mode that succeeds at once.
long execute_success(const char *path);
