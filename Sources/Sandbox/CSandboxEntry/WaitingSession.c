// SPDX-License-Identifier: Apache-2.0
//
// The two processes of a session that a broker has created, until they continue like those of any launch.
//
// When they have a session, they work in parallel. The init enters the prepared namespaces and adds this
// session's own items to the root. The other process meanwhile changes to the extension's user in a new user
// namespace, and performs the other steps in the complete root. The init never enters that namespace: it
// changes to the same user, without privileges in any namespace. So the longest steps of a launch are not
// repeated.

#include "Broker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

/// Moves this process into the session's mount namespace.
static void enter_mounts(const struct darkroom_child *child, int mounts) {
  darkroom_must(child, darkroom_step_enter_prepared, direct(SYS_setns, mounts, CLONE_NEWNS), 3);
}

/// Performs the steps of the session after the host has assigned it. The extension's process works in
/// parallel.
__attribute__((noreturn)) static void begin_session(const struct darkroom_broker *broker) {
  struct darkroom_child own = *broker->child;
  struct darkroom_child *child = &own;
  struct darkroom_plan *plan = child->plan;
  int mounts[DARKROOM_MAXIMUM_OWN_ITEMS];
  if (child->processors->host >= 0) darkroom_run_on_other_processor(child->processors, DARKROOM_EXTENSION);
  darkroom_set_futex(&child->ahead->begun);
  // From here on this process has a separate descriptor table: a copy of the host's, which contains the
  // session's descriptors.
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
  darkroom_set_futex(&child->ahead->has_own_mounts);
  darkroom_set_futex(&child->ahead->has_root);
  darkroom_change_parallel_init_identity(child, child->proc);
  darkroom_watch_children(child);
  darkroom_restore_affinity(child->processors, 0);
  darkroom_execute_init(child, DARKROOM_EXTENSION);
}

/// Opens paths in proc that the first steps of a session use. The kernel caches them: the first lookup takes
/// longer than the later steps. Failures are ignored, because the later steps report them.
static void warm_path_cache(const struct darkroom_broker *broker, const char *const *ways, int count) {
  for (int i = 0; i < count; i++) {
    long file = direct(SYS_openat, broker->proc, ways[i], O_RDONLY | O_CLOEXEC, 0);
    if (file >= 0) direct(SYS_close, file);
  }
}

/// The entry function of the extension's process, which waits for its session.
static int waiting_extension_main(void *argument) {
  struct darkroom_broker *broker = argument;
  static const char *const ways[] = {"self/setgroups", "self/uid_map", "self/gid_map"};
  direct(SYS_prctl, PR_SET_NAME, "waiting-program", 0, 0, 0);
  const struct darkroom_child placeholder = darkroom_broker_child(broker, broker->prepared);
  enter_mounts(&placeholder, broker->prepared_mounts);
  // The signals have the broker's dispositions, which are the defaults.
  darkroom_leave_terminal(&placeholder);
  warm_path_cache(broker, ways, 3);
  const int listener = broker->listener = darkroom_report_refusals(&placeholder);
  darkroom_await_futex(&broker->ahead.begun);
  // The filter must be that of this session's policy.
  if (broker->child->plan->filter != broker->prepared->filter) {
    darkroom_fail(broker->child, darkroom_step_seccomp, EINVAL, 3);
  }
  darkroom_continue_extension(broker->child, listener);
}

/// Creates the process that becomes the extension. It exits with the init.
static void make_extension(struct darkroom_broker *broker, const struct darkroom_child *child) {
  struct clone_arguments arguments = {
      .flags = CLONE_VM | CLONE_FILES | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
      // The kernel stores the process ID before the process starts, so the value is valid as long as the
      // process exists.
      .parent_tid = (uint64_t)(uintptr_t)&broker->outcome.extension,
      .child_tid = (uint64_t)(uintptr_t)&broker->outcome.extension,
      .exit_signal = SIGCHLD,
      .stack = (uint64_t)(uintptr_t)((char *)broker->stack + 2 * broker->stack_size),
      .stack_size = broker->stack_size,
  };
  broker->ahead = (struct darkroom_handshake){0};
  long number = direct_clone(&arguments, waiting_extension_main, broker);
  darkroom_must(child, darkroom_step_clone_extension, number, 3);
  if (number != DARKROOM_EXTENSION) darkroom_fail(child, darkroom_step_clone_extension, EEXIST, 4);
}

/// The entry function of the init, which waits for its session.
static int waiting_init_main(void *argument) {
  struct darkroom_broker *broker = argument;
  static const char *const ways[] = {"self/timens_offsets"};
  struct darkroom_child placeholder = darkroom_broker_child(broker, broker->prepared);
  darkroom_end_with_parent(&placeholder, SIGKILL);
  direct(SYS_prctl, PR_SET_NAME, "waiting-init", 0, 0, 0);
  // This happens in the namespace with the host's mounts, as an unprivileged user requires, and before
  // another process could kill this process.
  broker->prepared_processes = darkroom_take_processes(&placeholder);
  broker->gate = darkroom_make_gate(&placeholder);
  make_extension(broker, &placeholder);
  // The privileges that this process has now cannot reach a program that it executes.
  darkroom_drop_bounding_set(&placeholder);
  warm_path_cache(broker, ways, 1);
  __atomic_store_n(&broker->outcome.init, 2, __ATOMIC_RELEASE);
  direct(SYS_futex, &broker->outcome.init, FUTEX_WAKE, 1);
  // The host may have exited before the first call, and with it the broker, which would otherwise send the
  // command.
  const struct timespec pause = {0, 100000000};
  while (__atomic_load_n(&broker->init_state, __ATOMIC_ACQUIRE) == DARKROOM_INIT_UNTIED) {
    direct(SYS_futex, &broker->init_state, FUTEX_WAIT, DARKROOM_INIT_UNTIED, &pause, 0);
    if (__atomic_load_n(&broker->state, __ATOMIC_ACQUIRE) == DARKROOM_BROKER_ENDED) return 0;
  }
  while (__atomic_load_n(&broker->init_state, __ATOMIC_ACQUIRE) != DARKROOM_INIT_GO) {
    direct(SYS_futex, &broker->init_state, FUTEX_WAIT, DARKROOM_INIT_WAITING, 0, 0);
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
  // Killed processes still use the stacks, and the kernel clears these futexes when they exit.
  darkroom_await_cleared(&broker->outcome.init, 0);
  darkroom_await_cleared(&broker->outcome.extension, 0);
  // A killed process may have stored the descriptor after the other prepared descriptors were dropped.
  darkroom_broker_drop(&broker->listener);
  broker->init_state = DARKROOM_INIT_UNTIED;
  broker->outcome = (struct darkroom_outcome){.init = 1, .extension = 0, .has_failed = 0};
  darkroom_must(child, step, direct_clone(&arguments, waiting_init_main, broker), 5);
  while (__atomic_load_n(&broker->outcome.init, __ATOMIC_ACQUIRE) == 1) {
    direct(SYS_futex, &broker->outcome.init, FUTEX_WAIT, 1, 0, 0);
  }
  // The parent of the init is the parent of this process. It was running after the init had requested to exit
  // with it, so the init will.
  if (direct(SYS_getppid, 0) != broker->host) direct(SYS_exit_group, 0);
  __atomic_store_n(&broker->init_state, DARKROOM_INIT_WAITING, __ATOMIC_RELEASE);
  direct(SYS_futex, &broker->init_state, FUTEX_WAKE, 1);
}
