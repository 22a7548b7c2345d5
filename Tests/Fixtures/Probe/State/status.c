// SPDX-License-Identifier: Apache-2.0
//
// Fields of /proc/self/status. Each attempt succeeds if it finds a forbidden state.
#include "probe.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Returns the value of a field of /proc/self/status.
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
    // The sandbox ignores SIGXFSZ, so that exceeding the file size limit is an error.
    unsigned long long own = strcmp(sets[i], "SigIgn") == 0 ? 1ULL << (SIGXFSZ - 1) : 0;
    if ((strtoull(set, NULL, 16) & ~own) != 0) return note("%s %s", sets[i], set), 0;
  }
  return found_nothing();
}

static long new_privileges(const char *argument) {
  (void)argument;
  return strcmp(status_line("NoNewPrivs"), "1") == 0 ? found_nothing() : 0;
}

static long no_filter(const char *argument) {
  (void)argument;
  return strcmp(status_line("Seccomp"), "2") == 0 ? found_nothing() : 0;
}

/// Checks that all user and group IDs are the inner ID.
static long identity(const char *argument) {
  (void)argument;
  static const char four[] = "1000\t1000\t1000\t1000";
  if (strcmp(status_line("Uid"), four) != 0) return note("Uid %s", status_line("Uid")), 0;
  if (strcmp(status_line("Gid"), four) != 0) return note("Gid %s", status_line("Gid")), 0;
  return found_nothing();
}

/// Checks that there are no other groups than those that the session keeps.
static long other_groups(const char *kept) {
  char *end;
  long permitted = strtol(kept, &end, 10);
  if (end == kept) untried("the number of kept groups is not known");
  const char *groups = status_line("Groups");
  // Supplementary groups appear as the overflow group inside the session.
  if (*groups) note("%s", groups);
  long count = 0;
  for (const char *group = groups; *group; group += strcspn(group, " "), group += strspn(group, " ")) count++;
  return count > permitted ? 0 : found_nothing();
}

static long signals(const char *argument) {
  (void)argument;
  static const char *const sets[] = {"SigBlk", "SigIgn", "SigCgt", "SigPnd", "ShdPnd"};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    const char *set = status_line(sets[i]);
    // The sandbox ignores SIGXFSZ, so that exceeding the file size limit is an error.
    unsigned long long own = strcmp(sets[i], "SigIgn") == 0 ? 1ULL << (SIGXFSZ - 1) : 0;
    if ((strtoull(set, NULL, 16) & ~own) != 0) return note("%s %s", sets[i], set), 0;
  }
  return found_nothing();
}

const struct attempt status_attempts[] = {
    TRY("any-capability", any_capability, NULL, "capabilities", "finds a capability in any of its sets"),
    TRY("new-privileges", new_privileges, NULL, "noNewPrivileges", "can gain privileges with execve(2)"),
    TRY("no-filter", no_filter, NULL, "seccomp", "has no system call filter"),
    TRY("identity", identity, NULL, "identity,userNamespace", "has a different UID than the user of the sandbox"),
    TRY("other-groups", other_groups, "{groups}", "identity", "has a group that its session does not keep"),
    TRY("signals", signals, NULL, "identity", "inherits blocked, ignored or pending signals of the host"),
    END,
};
