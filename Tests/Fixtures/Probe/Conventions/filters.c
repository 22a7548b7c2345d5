// SPDX-License-Identifier: Apache-2.0
//
// Attempts to bypass the system call filter with io_uring and additional filters.
#include "probe.h"

#include <dirent.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static char room[4096];
static struct sock_filter allow_all[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
static struct sock_fprog program = {1, allow_all};

/// Submits to an inherited io_uring: a filter does not see the calls that the ring performs.
static long inherited_ring(const char *argument) {
  (void)argument;
  DIR *directory = opendir("/proc/self/fd");
  if (!directory) untried("/proc/self/fd cannot be read");
  for (struct dirent *entry; (entry = readdir(directory));) {
    char target[64] = "";
    if (readlinkat(dirfd(directory), entry->d_name, target, sizeof target - 1) < 0) continue;
    if (strstr(target, "io_uring")) return syscall(SYS_io_uring_enter, atoi(entry->d_name), 0, 0, 0, 0, 0);
  }
  return found_nothing();
}

/// Registers with an inherited io_uring (`IORING_REGISTER_PROBE`).
static long inherited_ring_register(const char *argument) {
  (void)argument;
  for (int number = 3; number < 64; number++) {
    char path[64], target[64] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", number);
    if (readlink(path, target, sizeof target - 1) < 0 || !strstr(target, "io_uring")) continue;
    return syscall(SYS_io_uring_register, number, 8, room, 16);
  }
  return found_nothing();
}

/// Installs filters that allow everything, by both calls, and makes a forbidden call.
static long stacked_filter(const char *argument) {
  (void)argument;
  long first = syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  long second = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
  note("prctl %s, seccomp %s,", first < 0 ? "refused" : "done", second < 0 ? "refused" : "done");
  return socket(AF_UNIX, SOCK_STREAM, 0);
}

const struct attempt filter_attempts[] = {
    CALL("io_uring_setup", "seccomp,kernel", "makes a queue of calls", SYS_io_uring_setup, 1, P(room)),
    CALL("io_uring_enter", "seccomp,kernel", "has a queue of calls worked off", SYS_io_uring_enter, 0, 0, 0, 0),
    CALL("io_uring_register", "seccomp,kernel", "registers with a queue of calls", SYS_io_uring_register, 0, 0, 0, 0),
    TRY("inherited-ring", inherited_ring, NULL, "descriptors,seccomp",
        "submits requests to an io_uring of the host"),
    TRY("inherited-ring-register", inherited_ring_register, NULL, "descriptors,seccomp",
        "registers resources with an io_uring of the host"),
    CALL("seccomp-filter-listener", "seccomp", "adds a filter whose notifications it answers itself", SYS_seccomp,
         SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, P(&program)),
    CALL("prctl-seccomp", "seccomp", "adds a filter by prctl", SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
         P(&program)),
    CALL("seccomp-filter", "seccomp", "adds a filter", SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, P(&program)),
    TRY("stacked-filter", stacked_filter, NULL, "seccomp", "adds a filter that allows more"),
    END,
};
