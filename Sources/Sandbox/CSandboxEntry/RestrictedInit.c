// SPDX-License-Identifier: Apache-2.0
//
// The program that stands for pid 1 in a session without a pid namespace. The kernel ends nothing with it, so it ends
// before itself whatever the session has started, and only then tells the host.
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

/// Where the launch puts what the init needs.
enum { INIT_STATUS = 3, INIT_CONTROL = 4, INIT_CHILDREN = 5, INIT_TREE = 6, INIT_EXTENSION = 7, INIT_GATE = 9 };

/// Kills every child of this process that the list names, which takes in those whose parents have died.
///
/// Nobody else waits for them, so that a number is that process's own until this one has waited.
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

/// Waits until a child has ended, or a hundredth of a second.
__attribute__((always_inline)) static inline void await_child(void) {
  struct pollfd watched;
  struct timespec pause;
  char ignored[128];
  watched.fd = INIT_CHILDREN, watched.events = POLLIN, watched.revents = 0;
  pause.tv_sec = 0, pause.tv_nsec = 10000000;
  direct(SYS_ppoll, &watched, 1, &pause, 0, 0);
  if (watched.revents) direct(SYS_read, INIT_CHILDREN, ignored, sizeof ignored);
}

/// Takes the status of children that have ended, but not the extension's: its number must stay its own until its
/// group has been signalled. True: the extension has ended.
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

/// Listens to the host and to the ends of children. Returns when the session is over.
__attribute__((always_inline)) static inline void supervise(int32_t extension) {
  for (;;) {
    struct pollfd watched[2];
    watched[0].fd = INIT_CONTROL, watched[0].events = POLLIN, watched[0].revents = 0;
    watched[1].fd = INIT_CHILDREN, watched[1].events = POLLIN, watched[1].revents = 0;
    direct(SYS_ppoll, watched, 2, 0, 0, 0);

    if (watched[0].revents) {
      uint8_t number;
      long count = direct(SYS_read, INIT_CONTROL, &number, 1);
      // The end of the control pipe means that the host is gone.
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
  // Its memory and its /proc entries are nobody's business, whatever the extension may be allowed to trace.
  direct(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  // Only now may the extension execute: before, it could have got hold of this process.
  const uint64_t open = 1;
  direct(SYS_write, INIT_GATE, &open, sizeof open);
  direct(SYS_close, INIT_GATE);
  int32_t extension = 0;
  direct(SYS_read, INIT_EXTENSION, &extension, sizeof extension);
  supervise(extension);

  // The extension has not been waited for: number and group are its own. The kernel signals a group in one step, and a
  // fork that is under way in it fails or is signalled with the others (copy_process in kernel/fork.c).
  direct(SYS_kill, extension, SIGKILL);
  direct(SYS_kill, -(long)extension, SIGKILL);
  struct darkroom_ended ended;
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
  // If the host is gone, so is the pipe, and the signal that says so is blocked here.
  direct(SYS_write, INIT_STATUS, &ended, sizeof ended);
  direct(SYS_exit_group, 0);
  __builtin_trap();
}

// The linker defines these for a section whose name is a C identifier.
extern const uint8_t __start_darkroom_restricted[];
extern const uint8_t __stop_darkroom_restricted[];

size_t darkroom_restricted_image(uint8_t *buffer, size_t capacity) {
  return darkroom_section_image(buffer, capacity, __start_darkroom_restricted, __stop_darkroom_restricted,
                                (const void *)(uintptr_t)restricted_init);
}
