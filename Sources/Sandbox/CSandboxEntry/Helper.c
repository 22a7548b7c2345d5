// SPDX-License-Identifier: Apache-2.0
//
// The helper: a separate process that performs slow steps in parallel.
//
// Two steps take longer than all others together, and their results are needed late. The kernel creates a
// network namespace, and it waits for all processors before it has released the host's mounts. The helper
// creates the network namespace while the session init builds the root. It unmounts the host's mounts while
// the init changes its identity.
//
// The helper exits before the init executes its program, and the init waits for it, so the extension never
// sees the helper. Its process ID is never reused, because the extension has the ID after the init's.
//
// If no processor is free for it, there is no helper, and the init performs both steps. There is also no
// helper if the network namespace exists already: then the extension's process uses the other processor
// (ParallelInit.c).

#include "Child.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/sockios.h>
#include <sched.h>
#include <sys/mount.h>

/// The process ID of the helper. The init has 1, and the extension will have 2.
enum { HELPER = 3 };
/// Makes wait4(2) include a child without an exit signal. The corresponding flag is `__WALL`.
enum { ANY_CHILD = 0x40000000 };

/// The state of the helper. The kernel itself stores `ENDED` when the helper exits for any reason.
enum { ENDED, MAKING_NETWORK, MADE_NETWORK, ENTERED_ROOT };

static void advance(struct darkroom_helper *helper, uint32_t state) {
  __atomic_store_n(&helper->state, state, __ATOMIC_RELEASE);
  direct(SYS_futex, &helper->state, FUTEX_WAKE, 1);
}

/// Waits until the helper or its creator changes the state. Returns the new state.
static uint32_t await_other(struct darkroom_helper *helper, uint32_t state) {
  uint32_t now;
  while ((now = __atomic_load_n(&helper->state, __ATOMIC_ACQUIRE)) == state) {
    direct(SYS_futex, &helper->state, FUTEX_WAIT, state, 0, 0);
  }
  return now;
}

/// Records the failed step of the helper. The helper does not report by itself, because the init waits for
/// it, and the host for the init.
static int give_up(struct darkroom_helper *helper, enum darkroom_step step, long error) {
  helper->step = step;
  helper->error = (int32_t)-error;
  return 0;
}

long darkroom_enter_network(int socket) {
  const long network = direct(SYS_ioctl, socket, SIOCGSKNS, 0);
  if (network < 0) return network;
  const long result = direct(SYS_setns, network, CLONE_NEWNET);
  direct(SYS_close, network);
  return result;
}

long darkroom_make_network(const struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  if (!(plan->namespaces & CLONE_NEWNET)) return 0;
  return plan->network >= 0 ? darkroom_enter_network(plan->network) : direct(SYS_unshare, CLONE_NEWNET);
}

/// Unmounts the host's mounts. pivot_root(2): the old root is mounted on top of the new root.
static long unmount_host(int root) {
  long result = direct(SYS_fchdir, root);
  return result < 0 ? result : direct(SYS_umount2, ".", MNT_DETACH);
}

static int help(void *argument) {
  const struct darkroom_child *child = argument;
  struct darkroom_helper *helper = child->helper;
  __atomic_store_n(&helper->has_started, 1, __ATOMIC_RELEASE);
  long result = darkroom_make_network(child);
  if (result < 0) return give_up(helper, darkroom_step_network, result);
  advance(helper, MADE_NETWORK);
  await_other(helper, MADE_NETWORK);
  result = unmount_host(helper->root);
  if (result < 0) return give_up(helper, darkroom_step_unmount_old, result);
  helper->step = darkroom_step_none;
  return 0;
}

void darkroom_start_network(struct darkroom_child *child) {
  struct darkroom_helper *helper = child->helper;
  if (!helper) {
    darkroom_must(child, darkroom_step_network, darkroom_make_network(child), 0);
    return;
  }
  const int32_t number = HELPER;
  struct clone_arguments arguments = {
      .flags = CLONE_VM | CLONE_FILES | CLONE_PIDFD | CLONE_CHILD_CLEARTID,
      .pidfd = (uint64_t)(uintptr_t)&helper->pidfd,
      .child_tid = (uint64_t)(uintptr_t)&helper->state,
      .stack = (uint64_t)(uintptr_t)helper->stack,
      .stack_size = helper->stack_size,
      .set_tid = (uint64_t)(uintptr_t)&number,
      .set_tid_size = 1,
  };
  helper->state = MAKING_NETWORK;
  // The failure that is reported if another process kills the helper.
  helper->step = darkroom_step_helper;
  helper->error = ESRCH;
  const long result = direct_clone(&arguments, help, child);
  if (result == -ENOSYS) {
    // clone(2) cannot choose the process ID, so this process does the helper's work.
    child->helper = 0;
    darkroom_start_network(child);
    return;
  }
  darkroom_must(child, darkroom_step_helper, result, 0);
  darkroom_run_on_other_processor(child->processors, HELPER);
}

void darkroom_join_network(const struct darkroom_child *child, int root) {
  struct darkroom_helper *helper = child->helper;
  if (!helper) {
    darkroom_must(child, darkroom_step_unmount_old, unmount_host(root), 2);
    return;
  }
  helper->root = root;
  // If the other processors are busy, the helper runs on this processor, where this process waits.
  const int has_started = (int)__atomic_load_n(&helper->has_started, __ATOMIC_ACQUIRE);
  if (!has_started) darkroom_run_on_current_processor(child->processors, HELPER);
  if (has_started) darkroom_restore_affinity(child->processors, HELPER);
  if (await_other(helper, MAKING_NETWORK) == ENDED) darkroom_fail(child, helper->step, helper->error, 0);
  if (!has_started) darkroom_restore_affinity(child->processors, HELPER);
  if (child->plan->namespaces & CLONE_NEWNET) {
    darkroom_must(child, darkroom_step_network, direct(SYS_setns, helper->pidfd, CLONE_NEWNET), 1);
  }
  advance(helper, ENTERED_ROOT);
}

int darkroom_has_left_host(const struct darkroom_child *child) {
  return __atomic_load_n(&child->helper->state, __ATOMIC_ACQUIRE) == ENDED;
}

void darkroom_await_own_mounts(const struct darkroom_child *child) {
  struct darkroom_helper *helper = child->helper;
  await_other(helper, ENTERED_ROOT);
  if (helper->step != darkroom_step_none) darkroom_fail(child, helper->step, helper->error, 2);
}

void darkroom_end_helper(const struct darkroom_child *child) {
  const struct darkroom_helper *helper = child->helper;
  if (!helper) return;
  // Not by the futex: the kernel wakes only one waiter, and that may be the extension.
  long ended;
  while ((ended = direct(SYS_wait4, HELPER, 0, ANY_CHILD, 0)) == -EINTR) {}
  darkroom_must(child, darkroom_step_helper, ended, 1);
  if (helper->step != darkroom_step_none) darkroom_fail(child, helper->step, helper->error, 3);
}
