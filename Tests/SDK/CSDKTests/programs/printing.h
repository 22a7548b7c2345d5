// SPDX-License-Identifier: Apache-2.0
//
// The output of the test programs, which the Python hosts and servers compare.
#ifndef PRINTING_H
#define PRINTING_H

#include <stdarg.h>
#include <stdio.h>

#include "darkroom.h"

/// Prints a line at once, because the other process waits for it.
static void say(const char *format, ...) DARKROOM_PRINTF(1, 2);
static void say(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
  putchar('\n');
  fflush(stdout);
}

/// Returns a text, or `-` for NULL.
static inline const char *text(const char *value) { return value == NULL ? "-" : value; }

#endif
