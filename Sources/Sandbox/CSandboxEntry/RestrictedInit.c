// SPDX-License-Identifier: Apache-2.0
//
// The init program of a session without a PID namespace. The kernel terminates no other process with it. It
// therefore terminates all processes of the session before it reports to the host and exits.
#include "CSandboxEntry.h"
#include "DirectCalls.h"
#include "InitSection.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

/// The descriptor numbers of the init, as placed by the launch.
enum { INIT_STATUS = 3, INIT_CONTROL = 4, INIT_CHILDREN = 5, INIT_TREE = 6, INIT_EXTENSION = 7, INIT_GATE = 9 };

/// Kills every child of this process that the list contains, including adopted orphans.
///
/// Only this process reaps them, so a process ID is not reused before that.
__attribute__((always_inline)) static inline void kill_children(void) {
  char text[4096];
  long length = direct(SYS_pread64, INIT_TREE, text, sizeof text, 0);
  long number = 0;
  for (long i = 0; i < length; i++) {
    if (text[i] >= '0' && text[i] <= '9') {
      number = number * 10 + (text[i] - '0');
    } else {
      if (number > 0) direct(SYS_kill, number, SIGKILL);
      number = 0;
    }
  }
}

/// Waits until a child has exited, for at most 10 ms.
__attribute__((always_inline)) static inline void await_child(void) {
  struct pollfd watched;
  struct timespec pause;
  char ignored[128];
  watched.fd = INIT_CHILDREN, watched.events = POLLIN, watched.revents = 0;
  pause.tv_sec = 0, pause.tv_nsec = 10000000;
  direct(SYS_ppoll, &watched, 1, &pause, 0, 0);
  if (watched.revents) direct(SYS_read, INIT_CHILDREN, ignored, sizeof ignored);
}

/// Reaps children that have exited, except the extension, whose process group must be signaled before its ID
/// can be reused. Returns whether the extension has exited.
__attribute__((always_inline)) static inline int take_orphans(int32_t extension) {
  for (;;) {
    siginfo_t ended;
    ended.si_pid = 0;
    long result = direct(SYS_waitid, P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT | __WALL, 0);
    if (result < 0 || ended.si_pid == 0) return 0;
    if (ended.si_pid == extension) return 1;
    direct(SYS_wait4, ended.si_pid, 0, WNOHANG | __WALL, 0);
  }
}

/// Handles commands of the host and exits of children. Returns when the session is over.
__attribute__((always_inline)) static inline void supervise(int32_t extension) {
  for (;;) {
    struct pollfd watched[2];
    watched[0].fd = INIT_CONTROL, watched[0].events = POLLIN, watched[0].revents = 0;
    watched[1].fd = INIT_CHILDREN, watched[1].events = POLLIN, watched[1].revents = 0;
    direct(SYS_ppoll, watched, 2, 0, 0, 0);

    if (watched[0].revents) {
      uint8_t number;
      long count = direct(SYS_read, INIT_CONTROL, &number, 1);
      // The end of the control pipe means that the host has exited.
      if (count == 0 || (count == 1 && number == DARKROOM_END_SESSION)) return;
      if (count == 1) direct(SYS_kill, extension, number);
    }
    if (watched[1].revents) {
      char ignored[128];
      direct(SYS_read, INIT_CHILDREN, ignored, sizeof ignored);
      if (take_orphans(extension)) return;
    }
  }
}

DARKROOM_PROGRAM("darkroom_restricted")
static void restricted_init(void) {
  // Other processes must not access its memory and /proc entries, even if the extension may trace processes.
  direct(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  // The extension may execute its program only now: before, it could have accessed this process.
  const uint64_t open = 1;
  direct(SYS_write, INIT_GATE, &open, sizeof open);
  direct(SYS_close, INIT_GATE);
  int32_t extension = 0;
  direct(SYS_read, INIT_EXTENSION, &extension, sizeof extension);
  supervise(extension);

  // The extension has not been reaped, so its process ID and group ID are still valid. The kernel signals a
  // group in a single step. A concurrent fork in the group fails or its child is signaled, too (copy_process
  // in kernel/fork.c).
  direct(SYS_kill, extension, SIGKILL);
  direct(SYS_kill, -(long)extension, SIGKILL);
  struct darkroom_exit_report ended;
  ended.status = SIGKILL, ended.reserved = 0;
  ended.user_microseconds = 0, ended.system_microseconds = 0, ended.peak_memory = 0;
  for (;;) {
    kill_children();
    int status;
    struct rusage used;
    long pid;
    while ((pid = direct(SYS_wait4, -1, &status, WNOHANG | __WALL, &used)) > 0) {
      if (pid != extension) continue;
      ended.status = status;
      ended.user_microseconds = (uint64_t)used.ru_utime.tv_sec * 1000000 + (uint64_t)used.ru_utime.tv_usec;
      ended.system_microseconds = (uint64_t)used.ru_stime.tv_sec * 1000000 + (uint64_t)used.ru_stime.tv_usec;
      ended.peak_memory = (uint64_t)used.ru_maxrss;
    }
    if (pid == -ECHILD) break;
    await_child();
  }
  // If the host has exited, the pipe has no reader, and SIGPIPE is blocked here.
  direct(SYS_write, INIT_STATUS, &ended, sizeof ended);
  direct(SYS_exit_group, 0);
  __builtin_trap();
}

// The linker defines these symbols for a section whose name is a C identifier.
extern const uint8_t __start_darkroom_restricted[];
extern const uint8_t __stop_darkroom_restricted[];

size_t darkroom_restricted_image(uint8_t *buffer, size_t capacity) {
  return darkroom_section_image(buffer, capacity, __start_darkroom_restricted, __stop_darkroom_restricted,
                                (const void *)(uintptr_t)restricted_init);
}
