// SPDX-License-Identifier: Apache-2.0
//
// The two processes of a session that a broker has made, until they go on like those of any launch.
//
// When they have a session they work beside each other. The init enters what is ready and adds to the root what is this
// session's alone, while the other one becomes the extension's user in a user namespace of its own; in the complete root it
// goes on like the extension's process of any launch. The init never enters that namespace: it becomes the same user without
// a privilege anywhere, and so does not take the longest steps of all for a second time.

#include "Broker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

/// Puts this process into the session's mount namespace.
static void enter_mounts(const struct darkroom_child *child, int mounts) {
  darkroom_must(child, darkroom_step_enter_prepared, direct(SYS_setns, mounts, CLONE_NEWNS), 3);
}

/// The session's steps from the moment on at which the host has one. The extension's process works beside this one.
__attribute__((noreturn)) static void begin_session(const struct darkroom_broker *broker) {
  struct darkroom_child own = *broker->child;
  struct darkroom_child *child = &own;
  struct darkroom_plan *plan = child->plan;
  int mounts[DARKROOM_MAXIMUM_OWN_ITEMS];
  if (child->processors->host >= 0) darkroom_run_beside(child->processors, DARKROOM_EXTENSION);
  darkroom_tell(&child->ahead->begun);
  // From here on it has its own descriptors: what the host has open now, with what is meant for the session.
  darkroom_must(child, darkroom_step_enter_prepared, direct(SYS_unshare, CLONE_FILES), 4);
  darkroom_stamp(plan, DARKROOM_STAMP_CLONED);
  darkroom_join_control_group(child);
  darkroom_reset_scheduling(child);
  darkroom_take_mounts(child, mounts);
  enter_mounts(child, child->prepared);
  darkroom_show_processes(child, broker->prepared, broker->prepared_processes);
  darkroom_complete_root(child, mounts);
  darkroom_stamp(plan, DARKROOM_STAMP_ROOT);
  darkroom_stamp(plan, DARKROOM_STAMP_NETWORK);
  darkroom_tell(&child->ahead->has_own_mounts);
  darkroom_tell(&child->ahead->has_root);
  darkroom_change_identity_ahead(child, child->proc);
  darkroom_watch_children(child);
  darkroom_run_anywhere(child->processors, 0);
  darkroom_execute_init(child, DARKROOM_EXTENSION);
}

/// Walks ways in proc that a session's first steps go. The kernel remembers them: to find each of them for the first time
/// takes longer than what is done there. What cannot be found now is found out when it is needed.
static void walk_ahead(const struct darkroom_broker *broker, const char *const *ways, int count) {
  for (int i = 0; i < count; i++) {
    long file = direct(SYS_openat, broker->proc, ways[i], O_RDONLY | O_CLOEXEC, 0);
    if (file >= 0) direct(SYS_close, file);
  }
}

/// The extension's process, which waits for its session.
static int wait_for_extension(void *argument) {
  struct darkroom_broker *broker = argument;
  static const char *const ways[] = {"self/setgroups", "self/uid_map", "self/gid_map"};
  direct(SYS_prctl, PR_SET_NAME, "waiting-program", 0, 0, 0);
  const struct darkroom_child nobody = darkroom_broker_child(broker, broker->prepared);
  enter_mounts(&nobody, broker->prepared_mounts);
  // The signals have the dispositions of the broker, which are the standard ones.
  darkroom_leave_terminal(&nobody);
  walk_ahead(broker, ways, 3);
  const int listener = broker->listener = darkroom_report_refusals(&nobody);
  darkroom_await(&broker->ahead.begun);
  // Nobody else's filter is that of this session's policy.
  if (broker->child->plan->filter != broker->prepared->filter) {
    darkroom_fail(broker->child, darkroom_step_seccomp, EINVAL, 3);
  }
  darkroom_begin_extension(broker->child, listener);
}

/// Makes the process that becomes the extension's. It ends with the init.
static void make_extension(struct darkroom_broker *broker, const struct darkroom_child *child) {
  struct clone_arguments arguments = {
      .flags = CLONE_VM | CLONE_FILES | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
      // Its number is there as long as there is a process: the kernel writes it before that begins.
      .parent_tid = (uint64_t)(uintptr_t)&broker->outcome.extension,
      .child_tid = (uint64_t)(uintptr_t)&broker->outcome.extension,
      .exit_signal = SIGCHLD,
      .stack = (uint64_t)(uintptr_t)((char *)broker->stack + 2 * broker->stack_size),
      .stack_size = broker->stack_size,
  };
  broker->ahead = (struct darkroom_ahead){0};
  long number = direct_clone3(&arguments, wait_for_extension, broker);
  darkroom_must(child, darkroom_step_clone_extension, number, 3);
  if (number != DARKROOM_EXTENSION) darkroom_fail(child, darkroom_step_clone_extension, EEXIST, 4);
}

/// The init, which waits for its session.
static int wait_for_session(void *argument) {
  struct darkroom_broker *broker = argument;
  static const char *const ways[] = {"self/timens_offsets"};
  struct darkroom_child nobody = darkroom_broker_child(broker, broker->prepared);
  darkroom_end_with_parent(&nobody, SIGKILL);
  direct(SYS_prctl, PR_SET_NAME, "waiting-init", 0, 0, 0);
  // Here, where the host's mounts are, as an ordinary user has to; and before anybody could end this process in between.
  broker->prepared_processes = darkroom_take_processes(&nobody);
  broker->gate = darkroom_make_gate(&nobody);
  make_extension(broker, &nobody);
  // Whatever it has now, no program that it executes can have it.
  darkroom_drop_bounding_set(&nobody);
  walk_ahead(broker, ways, 1);
  __atomic_store_n(&broker->outcome.init, 2, __ATOMIC_RELEASE);
  direct(SYS_futex, &broker->outcome.init, FUTEX_WAKE, 1);
  // The host may have died before the first line, and with it the broker, which would have said so.
  const struct timespec pause = {0, 100000000};
  while (__atomic_load_n(&broker->told, __ATOMIC_ACQUIRE) == DARKROOM_INIT_UNTIED) {
    direct(SYS_futex, &broker->told, FUTEX_WAIT, DARKROOM_INIT_UNTIED, &pause, 0);
    if (__atomic_load_n(&broker->state, __ATOMIC_ACQUIRE) == DARKROOM_BROKER_ENDED) return 0;
  }
  while (__atomic_load_n(&broker->told, __ATOMIC_ACQUIRE) != DARKROOM_INIT_GO) {
    direct(SYS_futex, &broker->told, FUTEX_WAIT, DARKROOM_INIT_WAITING, 0, 0);
  }
  begin_session(broker);
}

void darkroom_broker_make_init(struct darkroom_broker *broker, const struct darkroom_child *child) {
  struct clone_arguments arguments = {
      .flags = CLONE_VM | CLONE_FILES | CLONE_PIDFD | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_PARENT |
               (child->plan->namespaces & ~(uint64_t)DARKROOM_PREPARED),
      .pidfd = (uint64_t)(uintptr_t)&broker->pidfd,
      .parent_tid = (uint64_t)(uintptr_t)&broker->process,
      .child_tid = (uint64_t)(uintptr_t)&broker->outcome.init,
      .stack = (uint64_t)(uintptr_t)((char *)broker->stack + broker->stack_size),
      .stack_size = broker->stack_size,
  };
  const enum darkroom_step step = darkroom_step_enter_prepared;
  // Those that were dismissed have the stacks, and the kernel writes here when they end.
  darkroom_await_cleared(&broker->outcome.init, 0);
  darkroom_await_cleared(&broker->outcome.extension, 0);
  // One that was dismissed may have got it later than what was prepared with it was dropped.
  darkroom_broker_drop(&broker->listener);
  broker->told = DARKROOM_INIT_UNTIED;
  broker->outcome = (struct darkroom_outcome){.init = 1, .extension = 0, .has_failed = 0};
  darkroom_must(child, step, direct_clone3(&arguments, wait_for_session, broker), 5);
  while (__atomic_load_n(&broker->outcome.init, __ATOMIC_ACQUIRE) == 1) {
    direct(SYS_futex, &broker->outcome.init, FUTEX_WAIT, 1, 0, 0);
  }
  // Its parent is this one's, which was there when it had asked to end with that: it will.
  if (direct(SYS_getppid, 0) != broker->host) direct(SYS_exit_group, 0);
  __atomic_store_n(&broker->told, DARKROOM_INIT_WAITING, __ATOMIC_RELEASE);
  direct(SYS_futex, &broker->told, FUTEX_WAKE, 1);
}
