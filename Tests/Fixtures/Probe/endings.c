// SPDX-License-Identifier: Apache-2.0
//
// Ways to terminate, and attempts to avoid termination.
#include "probe.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static long exit_with(const char *code) { _exit(atoi(code)); }

/// Terminates by a signal with its default action.
static long end_by(const char *number) {
  kill(getpid(), atoi(number));
  return found_nothing();
}

static long end_by_abort(const char *argument) {
  (void)argument;
  abort();
}

static long end_by_fault(const char *argument) {
  (void)argument;
  *(volatile int *)16 = 0;
  return found_nothing();
}

/// Waits forever. Tests find the process by `marker`.
static long stay(const char *marker) {
  (void)marker;
  if (write(1, "ready\n", 6) < 0) return -1;
  for (;;) pause();
}

/// Leaves a grandchild in a new session and exits.
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
  // The read must also return if the grandchild could not be created.
  close(ready[1]);
  char byte;
  if (read(ready[0], &byte, 1) != 1) return -1;
  _exit(7);
}

/// Creates descendants and waits forever.
static long swarm(const char *marker) {
  (void)marker;
  const pid_t first = getpid();
  for (int i = 0; i < 4; i++) {
    if (fork() == 0) setsid();
  }
  if (getpid() == first && write(1, "ready\n", 6) < 0) return -1;
  for (;;) pause();
}

/// Repeats a refused call endlessly.
static long flood_refused(const char *argument) {
  (void)argument;
  for (;;) socketpair(AF_UNIX, SOCK_DGRAM, 0, (int[2]){0, 0});
}

/// Prints the result of a call.
static void report_result(const char *name, long result) {
  char line[64];
  int length = snprintf(line, sizeof line, "%s %d\n", name, result < 0 ? errno : 0);
  if (write(1, line, (size_t)length) < 0) _exit(1);
}

static void *make_denied_calls_in_thread(void *argument) {
  report_result("shmget", shmget(IPC_PRIVATE, 4096, 0600));
  return argument;
}

/// Makes calls that a policy could allow, in this process, a child and a thread, and then calls that no
/// policy can allow.
static long make_denied_calls(const char *argument) {
  (void)argument;
  report_result("inotify_init1", inotify_init1(IN_CLOEXEC));
  pid_t child = fork();
  if (child == 0) {
    report_result("sync", syscall(SYS_sync));
    _exit(0);
  }
  waitpid(child, NULL, 0);
  pthread_t thread;
  if (pthread_create(&thread, NULL, make_denied_calls_in_thread, NULL) == 0) pthread_join(thread, NULL);
  char parameters[256] = {0};
  report_result("socket", socket(AF_UNIX, SOCK_STREAM, 0));
  report_result("unshare", unshare(CLONE_NEWUSER));
  report_result("io_uring_setup", syscall(SYS_io_uring_setup, 1, parameters));
  _exit(0);
}

/// Makes more kinds of requests than the host can record.
static long flood_kinds(const char *argument) {
  (void)argument;
  for (int i = 0; i < 4000; i++) ioctl(0, 0x10000 + i % 1000);
  _exit(0);
}

/// Supervises the calls of this process, allows all, and runs a supervised shell command.
static long supervised(const char *line) {
  struct sock_filter allow_all[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  struct sock_fprog program = {1, allow_all};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -1;
  long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  // A closed listener ends the supervision; this copy survives execve(2).
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
    TOOL("flood-kinds", flood_kinds),
    TOOL("needs", make_denied_calls),
    TOOL("supervised", supervised),
    END,
};
