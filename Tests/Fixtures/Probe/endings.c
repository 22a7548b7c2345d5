// SPDX-License-Identifier: Apache-2.0
//
// Ways to end, and ways not to.
#include "probe.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static long exit_with(const char *code) { _exit(atoi(code)); }

/// By a signal with its default action.
static long end_by(const char *number) {
  kill(getpid(), atoi(number));
  return nothing();
}

static long end_by_abort(const char *argument) {
  (void)argument;
  abort();
}

static long end_by_fault(const char *argument) {
  (void)argument;
  *(volatile int *)16 = 0;
  return nothing();
}

/// Waits for ever; `marker` is for whoever looks for it.
static long stay(const char *marker) {
  (void)marker;
  if (write(1, "ready\n", 6) < 0) return -1;
  for (;;) pause();
}

/// Leaves a grandchild in a session of its own and ends.
static long outlive(const char *marker) {
  (void)marker;
  int ready[2];
  if (pipe(ready) < 0) return -1;
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    if (write(ready[1], "x", 1) < 0) _exit(1);
    for (;;) pause();
  }
  char byte;
  if (read(ready[0], &byte, 1) != 1) return -1;
  _exit(7);
}

/// Makes children that make children, and stays.
static long swarm(const char *marker) {
  (void)marker;
  for (int i = 0; i < 4; i++) {
    if (fork() == 0) setsid();
  }
  if (getpid() == 2 && write(1, "ready\n", 6) < 0) return -1;
  for (;;) pause();
}

const struct attempt ending_attempts[] = {
    TOOL("exit", exit_with),
    TOOL("end-by", end_by),
    TOOL("abort", end_by_abort),
    TOOL("fault", end_by_fault),
    TOOL("stay", stay),
    TOOL("outlive", outlive),
    TOOL("swarm", swarm),
    END,
};
