// SPDX-License-Identifier: Apache-2.0
//
// Process attributes. Each attempt succeeds if it finds a forbidden state.
#include "probe.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// Checks the PID, parent, process group, session and terminal.
static long process(const char *argument) {
  (void)argument;
  // A policy may refuse these calls; then they reveal nothing.
  int group = getpgrp(), session = getsid(0);
  note("pid %d parent %d group %d session %d", getpid(), getppid(), group, session);
  if (getpid() != 2 || getppid() != 1) return 0;
  return (group < 0 || group == 2) && (session < 0 || session == 2) ? found_nothing() : 0;
}

static long terminal(const char *argument) {
  (void)argument;
  FILE *file = fopen("/proc/self/stat", "r");
  int number = 0;
  if (!file || fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %d", &number) != 1) untried("/proc/self/stat cannot be read");
  note("terminal %d", number);
  if (number == 0 && open("/dev/tty", O_RDWR) < 0) return found_nothing();
  return 0;
}

static long nice_value(const char *expected) {
  int value = getpriority(PRIO_PROCESS, 0);
  // A policy may refuse this call; then it reveals nothing.
  long policy = syscall(SYS_sched_getscheduler, 0);
  note("nice %d, policy %ld", value, policy);
  return value == atoi(expected) && policy <= 0 ? found_nothing() : 0;
}

/// Compares limits with a list of "resource=soft/hard,".
static long limits(const char *expected) {
  while (*expected) {
    int resource;
    unsigned long soft, hard;
    if (sscanf(expected, "%d=%lu/%lu,", &resource, &soft, &hard) != 3) untried("a limit cannot be read");
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) < 0) return -1;
    if (limit.rlim_cur != soft || limit.rlim_max != hard) {
      note("limit %d is %lu/%lu", resource, limit.rlim_cur, limit.rlim_max);
      return 0;
    }
    expected = strchr(expected, ',') + 1;
  }
  return found_nothing();
}

/// Whether a clock exceeds its start value in a session by more than the run time.
static long clock_ahead(const char *clock) {
  struct timespec now;
  if (clock_gettime(atoi(clock), &now) < 0) return -1;
  long ahead = (long)now.tv_sec - session_clock_start;
  if (ahead >= -1 && ahead < 120) return found_nothing();
  return ahead < 0 ? note("untold: %ld s", (long)now.tv_sec), found_nothing() : 0;
}

/// Searches for a descriptor that the plan does not list, including numbers above the limit.
static long descriptors(const char *count) {
  DIR *directory = opendir("/proc/self/fd");
  if (!directory) untried("/proc/self/fd cannot be read");
  for (struct dirent *entry; (entry = readdir(directory));) {
    int number = atoi(entry->d_name);
    if (entry->d_name[0] == '.' || number < atoi(count) || number == dirfd(directory)) continue;
    char target[256] = "";
    ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof target - 1);
    note("%d %.*s", number, (int)(length < 0 ? 0 : length), target);
    return 0;
  }
  return found_nothing();
}

/// Searches for such a descriptor without /proc, which a policy may hide.
static long high_descriptors(const char *count) {
  for (int number = atoi(count); number < 1 << 17; number++) {
    if (fcntl(number, F_GETFD) >= 0) return note("%d", number), 0;
  }
  return found_nothing();
}

/// Whether a namespace is the host's, given as "net:[4026531840]".
static long host_namespace(const char *host) {
  char path[64], link[64] = "";
  snprintf(path, sizeof path, "/proc/self/ns/%.*s", (int)strcspn(host, ":"), host);
  if (readlink(path, link, sizeof link - 1) < 0) return -1;
  note("%s", link);
  return strcmp(link, host) == 0 ? 0 : found_nothing();
}

static long file_mask(const char *argument) {
  (void)argument;
  mode_t mask = umask(077);
  note("%o", mask);
  return mask == 077 ? found_nothing() : 0;
}

const struct attempt state_attempts[] = {
    TRY("process", process, NULL, "pidNamespace",
        "has a PID, parent or process group from outside its session"),
    TRY("terminal", terminal, NULL, "identity", "has a controlling terminal"),
    TRY("nice", nice_value, "{nice}", "identity", "has a different priority than the host"),
    TRY("limits", limits, "{limits}", "limits", "has resource limits that differ from the policy"),
    TRY("descriptors", descriptors, "{descriptors}", "descriptors",
        "finds a descriptor that the launch plan does not list"),
    TRY("high-descriptors", high_descriptors, "{descriptors}", "descriptors", "finds a descriptor above its limit"),
    TRY("namespace-cgroup", host_namespace, "{namespace cgroup}", "cgroupNamespace",
        "is in the host's cgroup namespace"),
    TRY("namespace-ipc", host_namespace, "{namespace ipc}", "ipcNamespace", "is in the host's IPC namespace"),
    TRY("namespace-mount", host_namespace, "{namespace mnt}", "mountNamespace", "is in the host's mount namespace"),
    TRY("namespace-network", host_namespace, "{namespace net}", "networkNamespace",
        "is in the host's network namespace"),
    TRY("namespace-pid", host_namespace, "{namespace pid}", "pidNamespace", "is in the host's pid namespace"),
    TRY("namespace-user", host_namespace, "{namespace user}", "userNamespace", "is in the host's user namespace"),
    TRY("namespace-uts", host_namespace, "{namespace uts}", "utsNamespace", "is in the host's UTS namespace"),
    TRY("file-mask", file_mask, NULL, "identity", "creates files that other users can read"),
    TRY("clock-ahead", clock_ahead, "1", "timeNamespace", "learns from a clock how long the machine has been running"),
    TOOL("host-namespace", host_namespace),
    END,
};
