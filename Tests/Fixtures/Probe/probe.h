// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What an attempt's exit code says.
enum verdict {
  /// It did what a sandboxed program must not be able to do.
  SUCCEEDED = 0,
  /// It was refused, or found nothing.
  REFUSED = 10,
  /// It could not be tried here.
  UNTRIED = 11,
};

/// One thing that a sandboxed program tries.
struct attempt {
  /// Ends the list where it is null.
  const char *name;
  /// What it is given where nothing else is said. Names in braces are for the host to replace.
  const char *argument;
  /// The layers that are expected to refuse it, by the names of `Layer`, with commas between.
  const char *layers;
  /// What it tries, in a few words; null for what is no attack: a tool of the tests.
  const char *words;
  /// Returns a negative number, with errno, if it was refused. Null: the call below is all.
  long (*run)(const char *argument);
  /// A system call that needs no preparation.
  long number, arguments[6];
};

#define TRY(name_, run_, argument_, layers_, words_)                                                                  \
  {.name = name_, .run = run_, .argument = argument_, .layers = layers_, .words = words_}
#define CALL(name_, layers_, words_, number_, ...)                                                                    \
  {.name = name_, .layers = layers_, .words = words_, .number = number_, .arguments = {__VA_ARGS__}}
#define TOOL(name_, run_) {.name = name_, .run = run_}
#define END {.name = 0}

/// A pointer as an argument of a system call.
#define P(pointer) (long)(pointer)
/// The lowest bit that a 32-bit argument does not have.
#define HIGH (1L << 32)

/// Adds to the line that is printed.
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Says that the attempt cannot be made here, and ends.
__attribute__((noreturn)) void untried(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Nothing was found: a refusal without an error.
long nothing(void);

/// Replaces this program by another run of it that has succeeded as soon as it starts.
long execute_success(const char *path);
