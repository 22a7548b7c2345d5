// SPDX-License-Identifier: Apache-2.0

#include "Child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <time.h>

void darkroom_fail(const struct darkroom_child *child, enum darkroom_step step, long error, uint64_t index) {
  struct darkroom_outcome *outcome = child->outcome;
  uint32_t nothing = 0;
  // The host reads the report when this process and the other process have exited.
  if (outcome && __atomic_compare_exchange_n(&outcome->has_failed, &nothing, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    outcome->report = (struct darkroom_report){(int32_t)step, (int32_t)error, (int32_t)index};
  }
  // Without a PID namespace, the exit of the init terminates no other process and opens the gate.
  if (child->extension > 0) direct(SYS_kill, child->extension, 9 /* SIGKILL */);
  direct(SYS_exit_group, 125);
  __builtin_trap();
}

void darkroom_stamp(struct darkroom_plan *plan, int moment) {
  struct timespec now = {0, 0};
  direct(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  plan->stamps[moment] = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void darkroom_set_futex(uint32_t *word) {
  __atomic_store_n(word, 1, __ATOMIC_RELEASE);
  direct(SYS_futex, word, FUTEX_WAKE, 1);
}

void darkroom_await_futex(uint32_t *word) {
  while (!__atomic_load_n(word, __ATOMIC_ACQUIRE)) direct(SYS_futex, word, FUTEX_WAIT, 0, 0, 0);
}

int darkroom_await_cleared(const uint32_t *word, const struct timespec *until) {
  uint32_t now;
  long result = 0;
  // FUTEX_WAIT_BITSET takes an absolute timeout, so a signal does not prolong the wait.
  while ((now = __atomic_load_n(word, __ATOMIC_ACQUIRE)) != 0 && result != -ETIMEDOUT) {
    result = direct(SYS_futex, word, FUTEX_WAIT_BITSET, now, until, 0, FUTEX_BITSET_MATCH_ANY);
  }
  return now == 0;
}

long darkroom_lift(int descriptor) { return direct(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, 64); }

long darkroom_write_file(int directory, const char *path, const char *text) {
  long file = direct(SYS_openat, directory, path, O_WRONLY | O_CLOEXEC, 0);
  if (file < 0) return file;
  long written = direct(SYS_write, file, text, darkroom_length(text));
  direct(SYS_close, file);
  return written;
}

long darkroom_drop_capabilities(void) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  return direct(SYS_capset, &head, none);
}

char *darkroom_put_number(char *at, uint32_t number, char after) {
  char digits[10];
  int count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while (number /= 10);
  while (count) *at++ = digits[--count];
  *at++ = after;
  return at;
}

/// Writes to a file in the `/proc` directory of this process.
///
/// While another launch of the host changes its UID, the shared memory is not dumpable, these files belong to
/// root, and this process may have lost its privileges. It then sets the memory dumpable, as the other launch
/// is about to do. Each launch changes the UID of two processes. If the file stays inaccessible, there is
/// another reason.
static long write_own(const struct darkroom_child *child, int proc, const char *path, const char *text) {
  enum { ATTEMPTS = 1000 };
  long written = darkroom_write_file(proc, path, text);
  if (child->plan->identity != darkroom_identity_other) return written;
  for (int i = 0; written == -EACCES && i < ATTEMPTS; i++) {
    direct(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
    written = darkroom_write_file(proc, path, text);
  }
  return written;
}

/// Writes a map of a single ID: "inner outer 1".
static long write_map(const struct darkroom_child *child, int proc, const char *path, uint32_t inner, uint32_t outer) {
  char text[32];
  char *end = darkroom_put_number(darkroom_put_number(darkroom_put_number(text, inner, ' '), outer, ' '), 1, '\n');
  *end = 0;
  return write_own(child, proc, path, text);
}

void darkroom_map_identity(const struct darkroom_child *child, int proc) {
  const struct darkroom_plan *plan = child->plan;
  // An unprivileged process must write this before a map of groups (user_namespaces(7)).
  darkroom_must(child, darkroom_step_setgroups_deny, write_own(child, proc, "self/setgroups", "deny"), 0);
  darkroom_must(child, darkroom_step_uid_map,
                write_map(child, proc, "self/uid_map", plan->inner_user, plan->outer_user), 0);
  darkroom_must(child, darkroom_step_gid_map,
                write_map(child, proc, "self/gid_map", plan->inner_group, plan->outer_group), 0);
}
