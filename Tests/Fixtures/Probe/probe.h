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
  const char *name;
  /// Returns a negative number, with errno, if it was refused.
  long (*run)(const char *argument);
};

/// The attempts of one file, ended by one without a name.
extern const struct attempt network_attempts[], call_attempts[], file_attempts[], state_attempts[],
    resource_attempts[], ending_attempts[], shared_attempts[];

/// Adds to the line that is printed.
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Says that the attempt cannot be made here, and ends.
__attribute__((noreturn)) void untried(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Makes one of the calls that need no preparation; false if none has that name.
int raw_call(const char *name, long *result);

/// Nothing was found: a refusal without an error.
long nothing(void);

/// Replaces this program by another run of it that has succeeded as soon as it starts.
long execute_success(const char *path);
