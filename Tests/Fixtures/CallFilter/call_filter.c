// SPDX-License-Identifier: Apache-2.0
//
// Runs a program under a system call filter that refuses some calls, like service managers and container
// runtimes do.
//
//   darkroom-call-filter CALL=ANSWER... -- PROGRAM ARG...
//
// CALL is the name of a system call. ANSWER is the name or number of an error, or `kill`, which terminates
// the process with SIGSYS (systemd's SystemCallFilter= without SystemCallErrorNumber=). All other calls are
// allowed. The exit code is that of the program, or 125 if the filter cannot be installed.

#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The exit code for failures of this program itself.
enum { FAILED = 125, MOST_ERRORS = 4096 };

static _Noreturn void fail(const char *subject, const char *reason) {
  fprintf(stderr, "darkroom-call-filter: %s: %s\n", subject, reason);
  exit(FAILED);
}

/// Returns the filter action for the text of an answer.
static uint32_t action_of(const char *answer) {
  if (strcmp(answer, "kill") == 0) return SCMP_ACT_KILL_PROCESS;
  char *end;
  long number = strtol(answer, &end, 10);
  if (end != answer && *end == 0) return SCMP_ACT_ERRNO((uint16_t)number);
  for (int error = 1; error < MOST_ERRORS; error++) {
    const char *name = strerrorname_np(error);
    if (name && strcmp(name, answer) == 0) return SCMP_ACT_ERRNO((uint16_t)error);
  }
  fail(answer, "not the name or the number of an error");
}

/// Adds the rule of an argument to a filter.
static void refuse(scmp_filter_ctx filter, char *argument) {
  char *answer = strchr(argument, '=');
  if (!answer) fail(argument, "not CALL=ANSWER");
  *answer++ = 0;
  int call = seccomp_syscall_resolve_name(argument);
  if (call == __NR_SCMP_ERROR) fail(argument, "not the name of a system call");
  // A negative number denotes a call that this architecture does not have.
  int error = call < 0 ? 0 : seccomp_rule_add(filter, action_of(answer), call, 0);
  if (error < 0) fail(argument, strerror(-error));
}

int main(int count, char **arguments) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) fail("seccomp_init", "no memory");
  int index = 1;
  for (; index < count && strcmp(arguments[index], "--") != 0; index++) refuse(filter, arguments[index]);
  if (index + 1 >= count) fail("usage", "darkroom-call-filter CALL=ANSWER... -- PROGRAM ARG...");
  int error = seccomp_load(filter);
  if (error < 0) fail("seccomp_load", strerror(-error));
  execvp(arguments[index + 1], arguments + index + 1);
  fail(arguments[index + 1], strerror(errno));
}
