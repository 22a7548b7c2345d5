// SPDX-License-Identifier: Apache-2.0
//
// The broker: a process that prepares a session before its launch, as far as the preparation does not depend
// on the launch.
//
// The broker shares the memory and descriptors of the host and runs only this file. For each future session
// it creates the namespaces, builds the root, unmounts the host's file systems, and creates the Landlock
// rules for the files in the root. Then it creates the session init as a child of the host (CLONE_PARENT), so
// that the session has the same relations as if the host had created it. The init creates the process that
// becomes the extension. Both wait in the host's memory until the host assigns a session to them. The broker
// takes no part in that.
//
// The host gives these processes work by a futex, one item at a time. Any error terminates the broker, and
// the host continues without it.

#include "Broker.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <time.h>

void darkroom_broker_wake(struct darkroom_broker *broker) { direct(SYS_futex, &broker->state, FUTEX_WAKE, 1); }

void darkroom_broker_advance(struct darkroom_broker *broker, uint32_t state) {
  __atomic_store_n(&broker->state, state, __ATOMIC_RELEASE);
  darkroom_broker_wake(broker);
}

uint32_t darkroom_broker_await(struct darkroom_broker *broker, uint32_t state) {
  uint32_t now;
  while ((now = __atomic_load_n(&broker->state, __ATOMIC_ACQUIRE)) == state) {
    direct(SYS_futex, &broker->state, FUTEX_WAIT, state, 0, 0);
  }
  return now;
}

/// The values of `engagement`.
enum { DISENGAGED, ENGAGED, AWAITED };

void darkroom_broker_engage(struct darkroom_broker *broker) {
  __atomic_store_n(&broker->engagement, ENGAGED, __ATOMIC_RELEASE);
}

void darkroom_broker_disengage(struct darkroom_broker *broker) {
  // Usually no process waits, because the broker leaves the processors to the new program first.
  if (__atomic_exchange_n(&broker->engagement, DISENGAGED, __ATOMIC_ACQ_REL) == AWAITED) {
    direct(SYS_futex, &broker->engagement, FUTEX_WAKE, 1);
  }
}

void darkroom_broker_await_disengaged(struct darkroom_broker *broker) {
  uint32_t now;
  while ((now = __atomic_load_n(&broker->engagement, __ATOMIC_ACQUIRE)) != DISENGAGED) {
    if (now == AWAITED) {
      direct(SYS_futex, &broker->engagement, FUTEX_WAIT, AWAITED, 0, 0);
    } else {
      __atomic_compare_exchange_n(&broker->engagement, &now, AWAITED, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }
  }
}

struct darkroom_child darkroom_broker_child(struct darkroom_broker *broker, struct darkroom_plan *plan) {
  return (struct darkroom_child){.plan = plan, .proc = broker->proc, .host = -1, .prepared = -1,
                                 .ruleset = -1, .gate = -1, .listener = -1, .listener_socket = -1,
                                 .tracer_socket = -1, .held_network = -1};
}

/// Makes the broker exit with the host, and gives it a mount namespace that receives the host's mounts.
static void set_up(struct darkroom_broker *broker) {
  struct darkroom_plan plan = {.identity = broker->identity, .inner_user = broker->user, .inner_group = broker->group,
                               .outer_user = broker->user, .outer_group = broker->group};
  struct darkroom_child child = darkroom_broker_child(broker, &plan);
  if (broker->identity == darkroom_identity_brokered) {
    plan.inner_user = plan.inner_group = DARKROOM_BROKERED_USER;
    darkroom_map_identity(&child, broker->proc);
    const long own = direct(SYS_openat, broker->proc, "self/ns/user", O_RDONLY | O_CLOEXEC, 0);
    __atomic_store_n(&broker->own_user, (int)darkroom_must(&child, darkroom_step_proc, own, 3), __ATOMIC_RELEASE);
  } else {
    darkroom_must(&child, darkroom_step_private, direct(SYS_unshare, CLONE_NEWNS), 0);
  }
  darkroom_reset_signals();
  darkroom_follow_host_mounts(&child);
  broker->own_mounts = (int)darkroom_must(
      &child, darkroom_step_proc, direct(SYS_openat, broker->proc, "self/ns/mnt", O_RDONLY | O_CLOEXEC, 0), 2);
  darkroom_must(&child, darkroom_step_die_with_init, direct(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), 0);
  // The host may have exited before the call above.
  if (direct(SYS_getppid, 0) != broker->host) direct(SYS_exit_group, 0);
}

void darkroom_broker_drop(int *descriptor) {
  int dropped = *descriptor;
  *(volatile int *)descriptor = -1;
  if (dropped >= 0) direct(SYS_close, dropped);
}

/// Closes the descriptors of the last prepared session. If no launch has used it, its mounts are destroyed.
static void drop_prepared(struct darkroom_broker *broker) {
  darkroom_broker_drop(&broker->prepared_mounts);
  darkroom_broker_drop(&broker->prepared_ruleset);
  darkroom_broker_drop(&broker->prepared_processes);
  darkroom_broker_drop(&broker->gate);
  darkroom_broker_drop(&broker->listener);
}

/// Leaves the processors to the program that was just started.
static void wait_for_delay(const struct darkroom_broker *broker) {
  struct timespec pause = {broker->delay_ms / 1000, broker->delay_ms % 1000 * 1000000L};
  if (broker->delay_ms > 0) direct(SYS_nanosleep, &pause, 0);
}

static void prepare(struct darkroom_broker *broker) {
  struct darkroom_child child = darkroom_broker_child(broker, broker->prepared);
  child.is_prewarm = 1;
  const enum darkroom_step step = darkroom_step_enter_prepared;
  const int network = child.plan->network;
  drop_prepared(broker);
  darkroom_must(&child, step, direct(SYS_unshare, DARKROOM_PREPARED & ~(network >= 0 ? CLONE_NEWNET : 0)), 0);
  if (network >= 0) darkroom_must(&child, step, darkroom_enter_network(network), 8);
  int root = darkroom_assemble_root(&child);
  darkroom_enter_root(&child);
  // pivot_root(2): the old root is mounted on top of the new root, and is unmounted from there.
  darkroom_must(&child, darkroom_step_unmount_old, direct(SYS_fchdir, root), 0);
  darkroom_must(&child, darkroom_step_unmount_old, direct(SYS_umount2, ".", MNT_DETACH), 1);
  direct(SYS_close, root);
  darkroom_name_host(&child);
  // Landlock rules apply to the files at their paths now, which are those of the session.
  if (child.plan->landlock) {
    broker->prepared_ruleset = darkroom_make_ruleset(&child);
    darkroom_add_rules(&child, broker->prepared_ruleset);
  }
  broker->prepared_mounts =
      (int)darkroom_must(&child, step, direct(SYS_openat, broker->proc, "self/ns/mnt", O_RDONLY | O_CLOEXEC, 0), 1);
  // Return to the namespace with the host's mounts, from which the session's own mounts are taken. The init
  // inherits the other namespaces when it is created.
  darkroom_must(&child, step, direct(SYS_setns, broker->own_mounts, CLONE_NEWNS), 2);
  darkroom_broker_make_init(broker, &child);
}

int darkroom_broker_main(void *argument) {
  struct darkroom_broker *broker = argument;
  set_up(broker);
  darkroom_broker_advance(broker, DARKROOM_BROKER_IDLE);
  uint32_t state = DARKROOM_BROKER_IDLE;
  while ((state = darkroom_broker_await(broker, state)) == DARKROOM_BROKER_PREPARE) {
    wait_for_delay(broker);
    darkroom_broker_await_disengaged(broker);
    prepare(broker);
    state = DARKROOM_BROKER_READY;
    darkroom_broker_advance(broker, state);
  }
  return 0;
}
