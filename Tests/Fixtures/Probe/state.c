// SPDX-License-Identifier: Apache-2.0
//
// What a process of a session is; each succeeds if it finds what must not be.
#include "probe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/// A line of /proc/self/status, after its name.
static const char *status_line(const char *name) {
  static char line[512];
  FILE *file = fopen("/proc/self/status", "r");
  if (!file) untried("/proc/self/status cannot be read");
  while (fgets(line, sizeof line, file)) {
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0 || line[length] != ':') continue;
    fclose(file);
    line[strcspn(line, "\n")] = 0;
    return line + length + 1 + strspn(line + length + 1, " \t");
  }
  untried("/proc/self/status has no %s", name);
}

static long any_capability(const char *argument) {
  (void)argument;
  static const char *const sets[] = {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    const char *set = status_line(sets[i]);
    if (strspn(set, "0") != strlen(set)) return note("%s %s", sets[i], set), 0;
  }
  return nothing();
}

static long new_privileges(const char *argument) {
  (void)argument;
  return strcmp(status_line("NoNewPrivs"), "1") == 0 ? nothing() : 0;
}

static long no_filter(const char *argument) {
  (void)argument;
  return strcmp(status_line("Seccomp"), "2") == 0 ? nothing() : 0;
}

/// Real, effective and saved user and group are the inner one, and there is no other group.
static long identity(const char *argument) {
  (void)argument;
  static const char four[] = "1000\t1000\t1000\t1000";
  if (strcmp(status_line("Uid"), four) != 0) return note("Uid %s", status_line("Uid")), 0;
  if (strcmp(status_line("Gid"), four) != 0) return note("Gid %s", status_line("Gid")), 0;
  return nothing();
}

static long other_groups(const char *argument) {
  (void)argument;
  const char *groups = status_line("Groups");
  // Which other groups there are cannot be seen from inside: they are all shown as the overflow group.
  if (*groups) note("%s", groups);
  return *groups ? 0 : nothing();
}

static long signals(const char *argument) {
  (void)argument;
  static const char *const sets[] = {"SigBlk", "SigIgn", "SigCgt", "SigPnd", "ShdPnd"};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    const char *set = status_line(sets[i]);
    if (strspn(set, "0") != strlen(set)) return note("%s %s", sets[i], set), 0;
  }
  return nothing();
}

static long host_name(const char *expected) {
  struct utsname machine;
  uname(&machine);
  note("%s %s", machine.nodename, machine.domainname);
  return strcmp(machine.nodename, expected) == 0 && strcmp(machine.domainname, "(none)") == 0 ? nothing() : 0;
}

/// Prints the environment; the names that are expected are given, separated by commas, with one at the end.
static long environment(const char *expected) {
  for (char **variable = environ; *variable; variable++) {
    char name[256];
    snprintf(name, sizeof name, "%.*s,", (int)strcspn(*variable, "="), *variable);
    const char *found = strstr(expected, name);
    if (!found || (found != expected && found[-1] != ',')) return note("%s", *variable), 0;
  }
  return nothing();
}

/// Number, parent, process group, session and terminal.
static long process(const char *argument) {
  (void)argument;
  note("pid %d parent %d group %d session %d", getpid(), getppid(), getpgrp(), getsid(0));
  if (getpid() != 2 || getppid() != 1 || getpgrp() != 2 || getsid(0) != 2) return 0;
  return nothing();
}

static long terminal(const char *argument) {
  (void)argument;
  FILE *file = fopen("/proc/self/stat", "r");
  int number = 0;
  if (!file || fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %d", &number) != 1) untried("/proc/self/stat cannot be read");
  note("terminal %d", number);
  if (number == 0 && open("/dev/tty", O_RDWR) < 0) return nothing();
  return 0;
}

/// Whether a clock tells more than the hour with which every session begins, and the little that has passed since.
static long clock_ahead(const char *clock) {
  struct timespec now;
  if (clock_gettime(atoi(clock), &now) < 0) return -1;
  if (now.tv_sec >= 3600 - 1 && now.tv_sec < 3600 + 120) return nothing();
  return now.tv_sec < 3600 ? note("untold: %ld s", (long)now.tv_sec), nothing() : 0;
}

static long nice_value(const char *expected) {
  int value = getpriority(PRIO_PROCESS, 0);
  note("nice %d, policy %ld", value, (long)syscall(SYS_sched_getscheduler, 0));
  return value == atoi(expected) && syscall(SYS_sched_getscheduler, 0) == 0 ? nothing() : 0;
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
  return nothing();
}

/// A descriptor that the plan does not name, also above what the limit lets this process make.
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
  return nothing();
}

/// The same without /proc, which a policy may hide.
static long high_descriptors(const char *count) {
  for (int number = atoi(count); number < 1 << 17; number++) {
    if (fcntl(number, F_GETFD) >= 0) return note("%d", number), 0;
  }
  return nothing();
}

/// A namespace is the host's: "net:[4026531840]".
static long host_namespace(const char *host) {
  char path[64], link[64] = "";
  snprintf(path, sizeof path, "/proc/self/ns/%.*s", (int)strcspn(host, ":"), host);
  if (readlink(path, link, sizeof link - 1) < 0) return -1;
  note("%s", link);
  return strcmp(link, host) == 0 ? 0 : nothing();
}

/// Another process than this one is visible.
static long other_processes(const char *argument) {
  (void)argument;
  DIR *directory = opendir("/proc");
  if (!directory) return -1;
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (atoi(entry->d_name) == 0 || atoi(entry->d_name) == getpid()) continue;
    return note("%s", entry->d_name), 0;
  }
  return nothing();
}

/// A text of the host, for example a part of its cgroup's path, stands in a file about this process.
static long text_in(const char *argument) {
  char path[256], text[4096];
  const char *wanted = strchr(argument, ':');
  if (!wanted) untried("usage: FILE:TEXT");
  snprintf(path, sizeof path, "%.*s", (int)(wanted++ - argument), argument);
  int file = open(path, O_RDONLY);
  if (file < 0) return -1;
  ssize_t count = read(file, text, sizeof text - 1);
  text[count < 0 ? 0 : count] = 0;
  return strstr(text, wanted) ? 0 : nothing();
}

static long file_mask(const char *argument) {
  (void)argument;
  mode_t mask = umask(077);
  note("%o", mask);
  return mask == 077 ? nothing() : 0;
}

const struct attempt state_attempts[] = {
    {"any-capability", any_capability},
    {"new-privileges", new_privileges},
    {"no-filter", no_filter},
    {"identity", identity},
    {"other-groups", other_groups},
    {"signals", signals},
    {"host-name", host_name},
    {"environment", environment},
    {"process", process},
    {"terminal", terminal},
    {"clock-ahead", clock_ahead}, {"nice", nice_value},
    {"limits", limits},
    {"descriptors", descriptors},
    {"high-descriptors", high_descriptors},
    {"host-namespace", host_namespace},
    {"other-processes", other_processes},
    {"text-in", text_in},
    {"file-mask", file_mask},
    {NULL, NULL},
};
