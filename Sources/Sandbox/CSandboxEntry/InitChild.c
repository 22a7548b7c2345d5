// SPDX-License-Identifier: Apache-2.0
//
// The steps of PID 1, which concern all processes of the session.

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

/// Resets the nice value and policy, which the launching thread may have changed, to those of the host. Only
/// root can lower the nice value or restore the policy, so this happens before the change of user.
void darkroom_reset_scheduling(const struct darkroom_child *child) {
  int current = 20 - (int)direct(SYS_getpriority, PRIO_PROCESS, 0);
  // An unprivileged user keeps the higher value.
  if (current != child->plan->nice) direct(SYS_setpriority, PRIO_PROCESS, 0, child->plan->nice);
  long policy = direct(SYS_sched_getscheduler, 0);
  if (policy == SCHED_OTHER || is_real_time(policy)) return;
  struct sched_param parameter = {0};
  darkroom_must(child, darkroom_step_scheduling, direct(SYS_sched_setscheduler, 0, SCHED_OTHER, &parameter), 0);
}

/// Drops the real-time policy. A real-time host benefits from fast launches, so the policy is kept until a
/// program is executed. Every user can drop it, and only the host's code runs before.
void darkroom_leave_real_time(const struct darkroom_child *child) {
  if (!is_real_time(direct(SYS_sched_getscheduler, 0))) return;
  struct sched_param parameter = {0};
  darkroom_must(child, darkroom_step_scheduling, direct(SYS_sched_setscheduler, 0, SCHED_OTHER, &parameter), 1);
}

void darkroom_end_with_parent(const struct darkroom_child *child, int signal) {
  darkroom_must(child, darkroom_step_die_with_host, direct(SYS_prctl, PR_SET_PDEATHSIG, signal, 0, 0, 0), 0);
  if (!signal || child->host < 0) return;
  // The host may have exited before the call above. In a new PID namespace, getppid(2) does not show this.
  struct pollfd host = {.fd = child->host, .events = POLLIN};
  const struct timespec now = {0, 0};
  if (direct(SYS_ppoll, &host, 1, &now, 0, 0) > 0) darkroom_fail(child, darkroom_step_die_with_host, ESRCH, 1);
}

/// Joins the session's control group before any resource is created that should be charged to it.
void darkroom_join_control_group(const struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  if (plan->control_group < 0) return;
  darkroom_must(child, darkroom_step_control_group, direct(SYS_write, plan->control_group, "0", 1), 0);
  // The cgroup namespace of clone3 is rooted at the host's group, from which the path of this group would be
  // visible.
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
      // The kernel stores the process ID before the process starts, so the value is valid as long as the
      // process exists.
      .flags = CLONE_VM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
      .parent_tid = (uint64_t)(uintptr_t)&child->outcome->extension,
      .child_tid = (uint64_t)(uintptr_t)&child->outcome->extension,
      .exit_signal = SIGCHLD,
      .stack = (uint64_t)(uintptr_t)child->extension_stack,
      .stack_size = child->extension_stack_size,
  };
  int32_t extension = (int32_t)darkroom_must(child, darkroom_step_clone_extension,
                                             direct_clone(&arguments, entry, child), 0);
  darkroom_run_off_host_processor(child->processors, extension);
  return extension;
}

/// Places the three descriptors that the init keeps, and the gate, which the init closes later. The image is
/// closed by execveat, and all descriptors of the host are closed here.
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
  darkroom_restore_extension_affinity(child->processors, extension);
  darkroom_must(child, darkroom_step_init_capabilities, darkroom_drop_capabilities(), 0);
  darkroom_leave_real_time(child);
  // The signal is sent when the creating thread exits, and threads of the host exit. The program uses the
  // control pipe instead.
  darkroom_end_with_parent(child, 0);

  const char *const arguments[] = {"darkroom-init", child->plan->session, 0};
  static const char *const environment[] = {0};
  darkroom_must(child, darkroom_step_exec_init,
                direct(SYS_execveat, 6, "", arguments, environment, AT_EMPTY_PATH), 0);
  __builtin_unreachable();
}

/// Performs the steps of the init from its identity on. `proc` must show this process as `self`.
__attribute__((noreturn)) static void become_init(struct darkroom_child *child, int proc) {
  struct darkroom_plan *plan = child->plan;
  darkroom_change_identity(child, proc);
  darkroom_stamp(plan, DARKROOM_STAMP_IDENTITY);
  if (plan->landlock) child->ruleset = darkroom_make_ruleset(child);

  // The extension's process reads `child` concurrently from here on, so this process works on a copy.
  int32_t extension = darkroom_clone_extension(child, darkroom_extension_main);
  struct darkroom_child own = *child;
  // The init's program signals and reports on the process with this ID.
  if ((plan->namespaces & CLONE_NEWPID) && extension != DARKROOM_EXTENSION) {
    darkroom_fail(&own, darkroom_step_clone_extension, EEXIST, 1);
  }
  darkroom_stamp(plan, DARKROOM_STAMP_EXTENSION_CLONED);
  // The extension's process prepares itself in parallel. These steps must finish before its program runs. The
  // limits require the privileges that are dropped next.
  darkroom_limit_user_namespace(&own, proc);
  if (plan->landlock) darkroom_add_rules(&own, own.ruleset);
  darkroom_end_helper(&own);
  darkroom_execute_init(&own, extension);
}

void darkroom_leave_maker(const struct darkroom_child *child) {
  darkroom_take_own_table(child);
  darkroom_end_with_parent(child, SIGKILL);
  if (child->unshares_time) darkroom_must(child, darkroom_step_clocks, direct(SYS_unshare, CLONE_NEWTIME), 1);
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
  darkroom_start_network(child);
  const int root = darkroom_build_root(child);
  darkroom_stamp(plan, DARKROOM_STAMP_ROOT);

  darkroom_join_network(child, root);
  darkroom_stamp(plan, DARKROOM_STAMP_NETWORK);

  darkroom_name_host(child);
  become_init(child, plan->identity == darkroom_identity_caller ? proc : child->proc);
}
