// SPDX-License-Identifier: Apache-2.0
//
// darkroom-probe NAME [ARGUMENT]: makes one attempt that a sandboxed program must not succeed with.
#include "probe.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char line[4096];
static size_t used;

static void append(const char *format, va_list arguments) {
  if (used < sizeof line) used += (size_t)vsnprintf(line + used, sizeof line - used, format, arguments);
  if (used > sizeof line - 2) used = sizeof line - 2;
}

void note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  append(format, arguments);
  va_end(arguments);
}

__attribute__((noreturn)) static void finish(enum verdict verdict) {
  line[used++] = '\n';
  // Descriptor 1 may not be writable; the exit code says enough.
  if (write(1, line, used) < 0) _exit(verdict);
  _exit(verdict);
}

void untried(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  append(format, arguments);
  va_end(arguments);
  finish(UNTRIED);
}

long nothing(void) {
  errno = 0;
  return -1;
}

long execute_success(const char *path) {
  return execve(path, (char *[]){"darkroom-probe", "succeed", NULL}, (char *[]){NULL});
}

static const struct attempt *find(const char *name) {
  const struct attempt *all[] = {network_attempts, call_attempts,     file_attempts,
                                 state_attempts,   resource_attempts, ending_attempts,
                                 shared_attempts};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    for (const struct attempt *one = all[i]; one->name; one++) {
      if (strcmp(one->name, name) == 0) return one;
    }
  }
  return NULL;
}

int main(int count, char **arguments) {
  if (count < 2) untried("usage: darkroom-probe NAME [ARGUMENT]");
  if (strcmp(arguments[1], "succeed") == 0) finish(SUCCEEDED);
  long result;
  errno = 0;
  if (!raw_call(arguments[1], &result)) {
    const struct attempt *attempt = find(arguments[1]);
    if (!attempt) untried("there is no attempt %s", arguments[1]);
    result = attempt->run(count > 2 ? arguments[2] : "");
  }
  if (result >= 0) finish(SUCCEEDED);
  const char *error = errno ? strerrorname_np(errno) : "nothing";
  note("%s%s", used ? " " : "", error ? error : "unknown");
  finish(REFUSED);
}
