// SPDX-License-Identifier: Apache-2.0
//
// Ways to end, and ways not to.
#include "probe.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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
  // So that the wait ends also where the grandchild could not be made.
  close(ready[1]);
  char byte;
  if (read(ready[0], &byte, 1) != 1) return -1;
  _exit(7);
}

/// Makes children that make children, and stays.
static long swarm(const char *marker) {
  (void)marker;
  const pid_t first = getpid();
  for (int i = 0; i < 4; i++) {
    if (fork() == 0) setsid();
  }
  if (getpid() == first && write(1, "ready\n", 6) < 0) return -1;
  for (;;) pause();
}

/// Makes a refused call again and again.
static long flood_refused(const char *argument) {
  (void)argument;
  for (;;) socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0});
}

/// Supervises this process's calls, letting all through, and runs a line of shell that is supervised, too.
static long supervised(const char *line) {
  struct sock_filter allow_all[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  struct sock_fprog program = {1, allow_all};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -1;
  long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  // A listener that is closed supervises nobody any more; this copy goes with execve.
  if (listener < 0 || dup((int)listener) < 0) return -1;
  return execl("/bin/sh", "sh", "-c", line, NULL);
}

const struct attempt ending_attempts[] = {
    TOOL("exit", exit_with),
    TOOL("end-by", end_by),
    TOOL("abort", end_by_abort),
    TOOL("fault", end_by_fault),
    TOOL("stay", stay),
    TOOL("outlive", outlive),
    TOOL("swarm", swarm),
    TOOL("flood-refused", flood_refused),
    TOOL("supervised", supervised),
    END,
};
