// SPDX-License-Identifier: Apache-2.0
//
// The steps of pid 1: what is the same for every process of the session.

#include "Child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

static int is_real_time(long policy) { return policy == SCHED_FIFO || policy == SCHED_RR; }

/// A thread of the host's pool has a nice value and a policy of its own; the extension gets what the host has. Only root
/// can go back to a better one, and only as long as it is root, so that comes first.
void darkroom_reset_scheduling(const struct darkroom_child *child) {
  int current = 20 - (int)direct(SYS_getpriority, PRIO_PROCESS, 0);
  // Anybody else keeps the worse value.
  if (current != child->plan->nice) direct(SYS_setpriority, PRIO_PROCESS, 0, child->plan->nice);
  long policy = direct(SYS_sched_getscheduler, 0);
  if (policy == SCHED_OTHER || is_real_time(policy)) return;
  struct sched_param parameter = {0};
  darkroom_must(child, darkroom_step_scheduling, direct(SYS_sched_setscheduler, 0, SCHED_OTHER, &parameter), 0);
}

/// A host in real time wants its launches to be fast as well. Anybody can give real time up, so it lasts until there is
/// something to execute; before that no code runs that is not the host's.
void darkroom_leave_real_time(const struct darkroom_child *child) {
  if (!is_real_time(direct(SYS_sched_getscheduler, 0))) return;
  struct sched_param parameter = {0};
  darkroom_must(child, darkroom_step_scheduling, direct(SYS_sched_setscheduler, 0, SCHED_OTHER, &parameter), 1);
}

void darkroom_end_with_parent(const struct darkroom_child *child, int signal) {
  darkroom_must(child, darkroom_step_die_with_host, direct(SYS_prctl, PR_SET_PDEATHSIG, signal, 0, 0, 0), 0);
  if (!signal || child->host < 0) return;
  // The host may have died before the line above. In a pid namespace of its own no process learns that from its parent.
  struct pollfd host = {.fd = child->host, .events = POLLIN};
  const struct timespec now = {0, 0};
  if (direct(SYS_ppoll, &host, 1, &now, 0, 0) > 0) darkroom_fail(child, darkroom_step_die_with_host, ESRCH, 1);
}

/// Joins the session's control group before anything is made that should count there.
void darkroom_join_control_group(const struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  if (plan->control_group < 0) return;
  darkroom_must(child, darkroom_step_control_group, direct(SYS_write, plan->control_group, "0", 1), 0);
  // The namespace of clone3 begins at the host's group and would show where this one lies from there.
  if (!(plan->namespaces & CLONE_NEWCGROUP)) return;
  darkroom_must(child, darkroom_step_control_group, direct(SYS_unshare, CLONE_NEWCGROUP), 1);
}

int darkroom_make_gate(const struct darkroom_child *child) {
  return (int)darkroom_must(child, darkroom_step_gate, direct(SYS_eventfd2, 0, O_CLOEXEC), 0);
}

void darkroom_watch_children(struct darkroom_child *child) {
  uint64_t children = 1ULL << (SIGCHLD - 1);
  child->children = (int)darkroom_must(child, darkroom_step_child_signals,
                                       direct(SYS_signalfd4, -1, &children, sizeof children, 0), 0);
}

int32_t darkroom_clone_extension(struct darkroom_child *child, int (*entry)(void *)) {
  child->gate = darkroom_make_gate(child);
  darkroom_watch_children(child);
  struct clone_arguments arguments = {
      // Its number is there as long as there is a process: the kernel writes it before that begins.
      .flags = CLONE_VM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
      .parent_tid = (uint64_t)(uintptr_t)&child->outcome->extension,
      .child_tid = (uint64_t)(uintptr_t)&child->outcome->extension,
      .exit_signal = SIGCHLD,
      .stack = (uint64_t)(uintptr_t)child->extension_stack,
      .stack_size = child->extension_stack_size,
  };
  int32_t extension = (int32_t)darkroom_must(child, darkroom_step_clone_extension,
                                             direct_clone3(&arguments, entry, child), 0);
  darkroom_begin_beside_host(child->processors, extension);
  return extension;
}

/// The init keeps three descriptors, and the gate until it has closed itself; its image goes with execveat, everything of
/// the host now.
static void place_init_descriptors(struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  const enum darkroom_step step = darkroom_step_init_descriptors;
  int kept[] = {plan->status_write, plan->control_read, child->children, plan->init_image, child->gate};
  for (uint64_t i = 0; i < 5; i++) kept[i] = (int)darkroom_must(child, step, darkroom_lift(kept[i]), i);
  for (int i = 0; i < 5; i++) {
    darkroom_must(child, step, direct(SYS_dup3, kept[i], 3 + i, i == 3 ? O_CLOEXEC : 0), (uint64_t)i);
  }
  darkroom_must(child, step, direct(SYS_close_range, 8, ~0u, 0), 7);
  darkroom_must(child, step, direct(SYS_close_range, 0, 2, 0), 8);
}

void darkroom_name_host(const struct darkroom_child *child) {
  const char *name = child->plan->hostname;
  darkroom_must(child, darkroom_step_hostname, direct(SYS_sethostname, name, darkroom_length(name)), 0);
  darkroom_must(child, darkroom_step_hostname, direct(SYS_setdomainname, "(none)", 6), 1);
}

void darkroom_execute_init(struct darkroom_child *child, int32_t extension) {
  place_init_descriptors(child);
  darkroom_let_extension_run(child->processors, extension);
  darkroom_must(child, darkroom_step_init_capabilities, darkroom_drop_capabilities(), 0);
  darkroom_leave_real_time(child);
  // It is a thread's end that the signal comes with, and threads of the host end. The program listens to the host.
  darkroom_end_with_parent(child, 0);

  const char *const arguments[] = {"darkroom-init", child->plan->session, 0};
  static const char *const environment[] = {0};
  darkroom_must(child, darkroom_step_exec_init,
                direct(SYS_execveat, 6, "", arguments, environment, AT_EMPTY_PATH), 0);
  __builtin_unreachable();
}

/// The steps of the init from its identity on. `proc` knows this process as `self`.
__attribute__((noreturn)) static void become_init(struct darkroom_child *child, int proc) {
  struct darkroom_plan *plan = child->plan;
  darkroom_change_identity(child, proc);
  darkroom_stamp(plan, DARKROOM_STAMP_IDENTITY);
  if (plan->landlock) child->ruleset = darkroom_make_ruleset(child);

  // The extension's process reads `child` concurrently from here on: this one works on a copy.
  int32_t extension = darkroom_clone_extension(child, darkroom_extension_main);
  struct darkroom_child own = *child;
  // The init's program signals the process with this number, and tells of its end.
  if ((plan->namespaces & CLONE_NEWPID) && extension != DARKROOM_EXTENSION) {
    darkroom_fail(&own, darkroom_step_clone_extension, EEXIST, 1);
  }
  darkroom_stamp(plan, DARKROOM_STAMP_EXTENSION_CLONED);
  // Meanwhile the extension prepares itself. What is done here must be done before its program runs. The limits come
  // before the privileges go.
  darkroom_limit_user_namespace(&own, proc);
  if (plan->landlock) darkroom_add_rules(&own, own.ruleset);
  darkroom_end_helper(&own);
  darkroom_execute_init(&own, extension);
}

void darkroom_leave_maker(const struct darkroom_child *child) {
  darkroom_take_own_table(child);
  darkroom_end_with_parent(child, SIGKILL);
  darkroom_stamp(child->plan, DARKROOM_STAMP_CLONED);
  darkroom_join_control_group(child);
  darkroom_reset_scheduling(child);
}

int darkroom_init_main(void *argument) {
  struct darkroom_child *child = argument;
  struct darkroom_plan *plan = child->plan;
  darkroom_leave_maker(child);

  int proc = -1;
  if (plan->identity == darkroom_identity_caller) {
    proc = (int)darkroom_must(child, darkroom_step_proc,
                              direct(SYS_openat, AT_FDCWD, "/proc", O_PATH | O_DIRECTORY | O_CLOEXEC, 0), 1);
    darkroom_map_identity(child, proc);
    darkroom_set_clocks(child, proc);
  }
  darkroom_begin_network(child);
  const int root = darkroom_build_root(child);
  darkroom_stamp(plan, DARKROOM_STAMP_ROOT);

  darkroom_join_network(child, root);
  darkroom_stamp(plan, DARKROOM_STAMP_NETWORK);

  darkroom_name_host(child);
  become_init(child, plan->identity == darkroom_identity_caller ? proc : child->proc);
}
