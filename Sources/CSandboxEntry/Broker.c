// SPDX-License-Identifier: Apache-2.0
//
// The broker: a process that does ahead of a launch whatever does not depend on it.
//
// It lives in the host's memory and has none of its own, shares the host's descriptors, and runs nothing but this file.
// For each session to come it makes the namespaces, builds the root, leaves the host's mounts and makes the Landlock rules
// for what stands there. Last it makes the session's init, as the host's child (CLONE_PARENT), so that everything about the
// session is as if the host had made it. The init waits, in the host's memory like the broker, until the host has a session
// for it; then it enters what is ready and adds what is this session's alone, and the broker has nothing to do with it.
//
// The host gives both of them work by a futex, one piece at a time. Whatever goes wrong ends the broker, and the host goes
// on without it.

#include "Broker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <time.h>

/// What is made ahead; the pid namespace begins with a session's init.
enum { PREPARED = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP };

void darkroom_broker_wake(struct darkroom_broker *broker) { direct(SYS_futex, &broker->state, FUTEX_WAKE, 1); }

void darkroom_broker_advance(struct darkroom_broker *broker, uint32_t state) {
  __atomic_store_n(&broker->state, state, __ATOMIC_RELEASE);
  darkroom_broker_wake(broker);
}

uint32_t darkroom_broker_await(struct darkroom_broker *broker, uint32_t state) {
  uint32_t now;
  while ((now = __atomic_load_n(&broker->state, __ATOMIC_ACQUIRE)) == state) {
    direct(SYS_futex, &broker->state, FUTEX_WAIT, state, 0, 0, 0);
  }
  return now;
}

/// What the steps that the broker shares with a launch see of it; nobody looks at what has failed.
static struct darkroom_child as_child(struct darkroom_broker *broker, struct darkroom_plan *plan) {
  return (struct darkroom_child){.plan = plan, .proc = broker->proc, .host = -1, .prepared = -1,
                                 .ruleset = -1, .listener_socket = -1, .tracer_socket = -1};
}

/// Ties the broker to the host, and gives it a mount namespace that follows the host's.
static void settle(struct darkroom_broker *broker) {
  struct darkroom_plan plan = {.identity = broker->identity, .inner_user = broker->user, .inner_group = broker->group,
                               .outer_user = broker->user, .outer_group = broker->group};
  struct darkroom_child child = as_child(broker, &plan);
  if (broker->identity == darkroom_identity_brokered) {
    plan.inner_user = plan.inner_group = DARKROOM_BROKERED_USER;
    darkroom_map_identity(&child, broker->proc);
  } else {
    darkroom_must(&child, darkroom_step_private, direct(SYS_unshare, CLONE_NEWNS), 0);
  }
  darkroom_reset_signals();
  darkroom_follow_host_mounts(&child);
  broker->own_mounts = (int)darkroom_must(
      &child, darkroom_step_proc, direct(SYS_openat, broker->proc, "self/ns/mnt", O_RDONLY | O_CLOEXEC, 0), 2);
  darkroom_must(&child, darkroom_step_die_with_init, direct(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), 0);
  // The host may have died before the line above.
  if (direct(SYS_getppid, 0) != broker->host) direct(SYS_exit_group, 0);
}

/// Closes a descriptor, and forgets it before: whoever frees a broker that was killed closes what it knows, and the number
/// could be somebody else's by then.
static void drop(int *descriptor) {
  int dropped = *descriptor;
  *(volatile int *)descriptor = -1;
  if (dropped >= 0) direct(SYS_close, dropped);
}

/// Leaves what was prepared for the last session, which has it now; if there was none, its mounts go with it.
static void drop_prepared(struct darkroom_broker *broker) {
  drop(&broker->prepared_mounts);
  drop(&broker->prepared_ruleset);
  drop(&broker->prepared_processes);
}

/// Leaves the processors to the program that was just begun.
static void wait_a_little(const struct darkroom_broker *broker) {
  struct timespec pause = {broker->delay_ms / 1000, broker->delay_ms % 1000 * 1000000L};
  if (broker->delay_ms > 0) direct(SYS_nanosleep, &pause, 0);
}

/// The session's steps from the moment on at which the host has one.
__attribute__((noreturn)) static void begin_session(const struct darkroom_broker *broker) {
  struct darkroom_child *child = broker->child;
  struct darkroom_plan *plan = child->plan;
  int mounts[DARKROOM_MAXIMUM_OWN_ITEMS];
  // From here on it has its own descriptors: what the host has open now, with what is meant for the session.
  darkroom_must(child, darkroom_step_enter_prepared, direct(SYS_unshare, CLONE_FILES), 4);
  darkroom_stamp(plan, DARKROOM_STAMP_CLONED);
  darkroom_join_control_group(child);
  darkroom_reset_scheduling(child);
  darkroom_take_mounts(child, mounts);
  darkroom_must(child, darkroom_step_enter_prepared, direct(SYS_setns, child->prepared, CLONE_NEWNS), 3);
  darkroom_show_processes(child, broker->prepared, broker->prepared_processes);
  darkroom_complete_root(child, mounts);
  darkroom_stamp(plan, DARKROOM_STAMP_ROOT);
  darkroom_stamp(plan, DARKROOM_STAMP_NETWORK);
  darkroom_become_init(child, child->proc);
}

/// Walks the ways in proc that a session's first steps go. The kernel remembers them: to find each of them for the first
/// time takes longer than what is done there. What cannot be found now is found out when it is needed.
static void walk_ahead(const struct darkroom_broker *broker) {
  static const char *const ways[] = {"self/timens_offsets", "self/setgroups", "self/uid_map", "self/gid_map"};
  for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    long file = direct(SYS_openat, broker->proc, ways[i], O_RDONLY | O_CLOEXEC, 0);
    if (file >= 0) direct(SYS_close, file);
  }
}

/// The init, which waits for its session.
static int wait_for_session(void *argument) {
  struct darkroom_broker *broker = argument;
  struct darkroom_child nobody = as_child(broker, broker->prepared);
  darkroom_end_with_parent(&nobody, SIGKILL);
  direct(SYS_prctl, PR_SET_NAME, "waiting-init", 0, 0, 0);
  // Here, where the host's mounts are, as an ordinary user has to; and before anybody could end this process in between.
  broker->prepared_processes = darkroom_take_processes(&nobody);
  walk_ahead(broker);
  __atomic_store_n(&broker->outcome.init, 2, __ATOMIC_RELEASE);
  direct(SYS_futex, &broker->outcome.init, FUTEX_WAKE, 1);
  // The host may have died before the first line, and with it the broker, which would have said so.
  const struct timespec pause = {0, 100000000};
  while (__atomic_load_n(&broker->told, __ATOMIC_ACQUIRE) == DARKROOM_INIT_UNTIED) {
    direct(SYS_futex, &broker->told, FUTEX_WAIT, DARKROOM_INIT_UNTIED, &pause, 0, 0);
    if (__atomic_load_n(&broker->state, __ATOMIC_ACQUIRE) == DARKROOM_BROKER_ENDED) return 0;
  }
  while (__atomic_load_n(&broker->told, __ATOMIC_ACQUIRE) != DARKROOM_INIT_GO) {
    direct(SYS_futex, &broker->told, FUTEX_WAIT, DARKROOM_INIT_WAITING, 0, 0, 0);
  }
  begin_session(broker);
}

/// Makes the init. Its memory is the host's until it executes, and its descriptors are until it has a session.
static void make_init(struct darkroom_broker *broker, const struct darkroom_child *child) {
  struct clone_arguments arguments = {
      .flags = CLONE_VM | CLONE_FILES | CLONE_PIDFD | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_PARENT |
               (child->plan->namespaces & ~(uint64_t)PREPARED),
      .pidfd = (uint64_t)(uintptr_t)&broker->pidfd,
      .parent_tid = (uint64_t)(uintptr_t)&broker->process,
      .child_tid = (uint64_t)(uintptr_t)&broker->outcome.init,
      .stack = (uint64_t)(uintptr_t)((char *)broker->stack + broker->stack_size),
      .stack_size = broker->stack_size,
  };
  const enum darkroom_step step = darkroom_step_enter_prepared;
  // One that was dismissed has the stack, and the kernel writes here when it ends.
  uint32_t former;
  while ((former = __atomic_load_n(&broker->outcome.init, __ATOMIC_ACQUIRE)) != 0) {
    direct(SYS_futex, &broker->outcome.init, FUTEX_WAIT, former, 0, 0, 0);
  }
  broker->told = DARKROOM_INIT_UNTIED;
  broker->outcome = (struct darkroom_outcome){.init = 1, .extension = 0, .has_failed = 0};
  darkroom_must(child, step, direct_clone3(&arguments, wait_for_session, broker), 5);
  while (__atomic_load_n(&broker->outcome.init, __ATOMIC_ACQUIRE) == 1) {
    direct(SYS_futex, &broker->outcome.init, FUTEX_WAIT, 1, 0, 0, 0);
  }
  // Its parent is this one's, which was there when it had asked to end with that: it will.
  if (direct(SYS_getppid, 0) != broker->host) direct(SYS_exit_group, 0);
  __atomic_store_n(&broker->told, DARKROOM_INIT_WAITING, __ATOMIC_RELEASE);
  direct(SYS_futex, &broker->told, FUTEX_WAKE, 1);
}

static void prepare(struct darkroom_broker *broker) {
  struct darkroom_child child = as_child(broker, broker->prepared);
  child.is_ahead = 1;
  const enum darkroom_step step = darkroom_step_enter_prepared;
  drop_prepared(broker);
  darkroom_must(&child, step, direct(SYS_unshare, PREPARED), 0);
  int root = darkroom_assemble_root(&child);
  darkroom_enter_root(&child);
  // pivot_root(2): the old root is stacked over the new one, and is taken away from there.
  darkroom_must(&child, darkroom_step_unmount_old, direct(SYS_fchdir, root), 0);
  darkroom_must(&child, darkroom_step_unmount_old, direct(SYS_umount2, ".", MNT_DETACH), 1);
  direct(SYS_close, root);
  darkroom_name_host(&child);
  // Rules belong to what lies at their paths now, and that is what the session will have there.
  if (child.plan->landlock) {
    broker->prepared_ruleset = darkroom_make_ruleset(&child);
    darkroom_add_rules(&child, broker->prepared_ruleset);
  }
  broker->prepared_mounts =
      (int)darkroom_must(&child, step, direct(SYS_openat, broker->proc, "self/ns/mnt", O_RDONLY | O_CLOEXEC, 0), 1);
  // Back to where the host's mounts are: what is this session's alone is taken from there. The other namespaces stay,
  // and the init has them by being made.
  darkroom_must(&child, step, direct(SYS_setns, broker->own_mounts, CLONE_NEWNS), 2);
  make_init(broker, &child);
}

int darkroom_broker_main(void *argument) {
  struct darkroom_broker *broker = argument;
  settle(broker);
  darkroom_broker_advance(broker, DARKROOM_BROKER_IDLE);
  uint32_t state = DARKROOM_BROKER_IDLE;
  while ((state = darkroom_broker_await(broker, state)) == DARKROOM_BROKER_PREPARE) {
    wait_a_little(broker);
    prepare(broker);
    state = DARKROOM_BROKER_READY;
    darkroom_broker_advance(broker, state);
  }
  return 0;
}
