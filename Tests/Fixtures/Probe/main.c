// SPDX-License-Identifier: Apache-2.0
//
// darkroom-probe NAME [ARGUMENT]: makes one attempt that must fail in a sandbox.
//
// darkroom-probe --list: lists the attempts.
#include "registry.h"

#include <errno.h>
#include <linux/sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
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
  // Descriptor 1 may not be writable; the exit code suffices.
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

long found_nothing(void) {
  errno = 0;
  return -1;
}

long execute_success(const char *path) {
  return execve(path, (char *[]){"darkroom-probe", "succeed", NULL}, (char *[]){NULL});
}

/// Makes an attempt that consists of one system call.
static long make_call(const struct attempt *attempt) {
  const long *a = attempt->arguments;
  long result = syscall(attempt->number, a[0], a[1], a[2], a[3], a[4], a[5]);
  // clone3(2) returns twice.
  if (result == 0 && attempt->number == SYS_clone3) _exit(SUCCEEDED);
  return result;
}

int main(int count, char **arguments) {
  if (count < 2) untried("usage: darkroom-probe NAME [ARGUMENT] | --list");
  if (strcmp(arguments[1], "--list") == 0) {
    print_attempts();
    return 0;
  }
  if (strcmp(arguments[1], "succeed") == 0) finish(SUCCEEDED);
  const struct attempt *attempt = attempt_named(arguments[1]);
  if (!attempt) untried("there is no attempt %s", arguments[1]);
  const char *standard = attempt->argument ? attempt->argument : "";
  const char *argument = count > 2 && *arguments[2] ? arguments[2] : standard;
  if (strchr(argument, '{')) untried("needs an argument: %s", argument);
  errno = 0;
  long result = attempt->run ? attempt->run(argument) : make_call(attempt);
  if (result >= 0) finish(SUCCEEDED);
  const char *error = errno ? strerrorname_np(errno) : "nothing";
  note("%s%s", used ? " " : "", error ? error : "unknown");
  finish(REFUSED);
}
