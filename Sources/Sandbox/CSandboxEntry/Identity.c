// SPDX-License-Identifier: Apache-2.0
//
// The identity of the processes of a session, and the privileges that they permanently drop.

#include "Child.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <linux/securebits.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

/// The securebits that remove the special treatment of UID 0, locked.
#define LOCKED_SECUREBITS                                                                                             \
  (SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |                    \
   SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED)

void darkroom_set_clocks(const struct darkroom_child *child, int proc) {
  const char *offsets = child->plan->clock_offsets;
  if (!offsets) return;
  darkroom_must(child, darkroom_step_clocks, darkroom_write_file(proc, "self/timens_offsets", offsets), 0);
}

void darkroom_limit_user_namespace(const struct darkroom_child *child, int proc) {
  struct darkroom_plan *plan = child->plan;
  for (uint64_t i = 0; i < plan->setting_count; i++) {
    long written = darkroom_write_file(proc, plan->settings[i].path, plan->settings[i].text);
    if (written < 0 && plan->setting_error == 0) plan->setting_error = (int32_t)-written;
  }
}

/// Creates the user namespace.
///
/// The kernel refuses this to a process whose root differs from that of its mount namespace
/// (user_namespaces(7), EPERM). This is the case until the helper has unmounted the host's root from the
/// session's root. The unmount takes effect quickly, but the helper's call returns much later, so this
/// function polls.
static void unshare_user(const struct darkroom_child *child) {
  enum { GLANCES = 64 };
  long result;
  int is_last, glances = 0;
  do {
    // The helper has not got a processor yet, so stop polling and leave the processor to it.
    if (child->helper && glances++ == GLANCES) darkroom_await_own_mounts(child);
    is_last = !child->helper || darkroom_has_left_host(child);
    result = direct(SYS_unshare, CLONE_NEWUSER);
    if (result == -EPERM && !is_last) direct(SYS_sched_yield, 0);
  } while (result == -EPERM && !is_last);
  darkroom_must(child, darkroom_step_user_namespace, result, 0);
}

/// Changes from root to another user.
static void change_user(const struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  darkroom_must(child, darkroom_step_drop_groups, direct(SYS_setgroups, 0, 0), 0);
  darkroom_must(child, darkroom_step_set_group,
                direct(SYS_setresgid, plan->outer_group, plan->outer_group, plan->outer_group), 0);
  darkroom_must(child, darkroom_step_set_user,
                direct(SYS_setresuid, plan->outer_user, plan->outer_user, plan->outer_user), 0);
  // A change of UID makes the process undumpable, and its maps then belong to root. The memory is shared with
  // the host, which restores its own setting when no launch that changes the UID is left.
  direct(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
}

void darkroom_enter_user_namespace(const struct darkroom_child *child, int proc) {
  if (child->plan->identity == darkroom_identity_other) change_user(child);
  unshare_user(child);
  if (child->ahead) darkroom_set_futex(&child->ahead->has_namespace);
  darkroom_map_identity(child, proc);
}

void darkroom_await_extension(const struct darkroom_child *child, uint32_t *word, int is_new) {
  const struct timespec glance = {0, 200000}, pause = {0, 10000000};
  if (is_new) direct(SYS_futex, word, FUTEX_WAIT, 0, &glance, 0);
  while (!__atomic_load_n(word, __ATOMIC_ACQUIRE)) {
    // If the other processors are busy, the process runs on this processor.
    darkroom_restore_extension_affinity(child->processors, DARKROOM_EXTENSION);
    direct(SYS_futex, word, FUTEX_WAIT, 0, &pause, 0);
    // The kernel clears this futex when the process exits, and wakes no waiter of the other futex.
    if (!__atomic_load_n(&child->outcome->extension, __ATOMIC_ACQUIRE)) {
      darkroom_fail(child, darkroom_step_clone_extension, ESRCH, 2);
    }
  }
}

void darkroom_drop_bounding_set(const struct darkroom_child *child) {
  for (int32_t number = 0; number <= child->plan->last_capability; number++) {
    darkroom_must(child, darkroom_step_bounding, direct(SYS_prctl, PR_CAPBSET_DROP, number, 0, 0, 0), (uint64_t)number);
  }
}

void darkroom_lock_privileges(const struct darkroom_child *child) {
  darkroom_must(child, darkroom_step_securebits, direct(SYS_prctl, PR_SET_SECUREBITS, LOCKED_SECUREBITS, 0, 0, 0), 0);
  darkroom_must(child, darkroom_step_no_new_privs, direct(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
}

void darkroom_change_identity(const struct darkroom_child *child, int proc) {
  if (child->plan->identity != darkroom_identity_caller) {
    // The clocks are set before the change of user, which drops the required privileges.
    darkroom_set_clocks(child, proc);
    darkroom_enter_user_namespace(child, proc);
    // The change of UID has reset the parent death signal.
    darkroom_end_with_parent(child, SIGKILL);
  }
  darkroom_drop_bounding_set(child);
  darkroom_lock_privileges(child);
}

void darkroom_change_parallel_init_identity(const struct darkroom_child *child, int proc) {
  darkroom_set_clocks(child, proc);
  // The change of UID makes this memory undumpable for a moment, in which no process can open a map.
  darkroom_await_extension(child, &child->ahead->has_identity, 0);
  // Locking requires privileges. Afterwards, a change of UID does not modify the capabilities.
  darkroom_lock_privileges(child);
  if (child->plan->identity == darkroom_identity_other) change_user(child);
  darkroom_must(child, darkroom_step_init_capabilities, darkroom_drop_capabilities(), 0);
  darkroom_end_with_parent(child, SIGKILL);
}
