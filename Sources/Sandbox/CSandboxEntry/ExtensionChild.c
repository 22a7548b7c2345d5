// SPDX-License-Identifier: Apache-2.0
//
// The steps of PID 2, which concern the extension alone. Each step is stricter than the previous one. The
// last step installs the filter under which this process may make no other calls than its program
// (Filters.c).

#include "Child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <linux/netlink.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

// The kernel's <linux/pidfd.h>, which older headers lack.
#ifndef PIDFD_GET_MNT_NAMESPACE
#define PIDFD_GET_MNT_NAMESPACE _IO(0xFF, 3)
#endif

/// The kernel's `struct landlock_ruleset_attr`, whose later members older headers lack.
struct ruleset {
  uint64_t files, network, scopes;
};

/// The kernel's `struct landlock_path_beneath_attr`.
struct path_beneath {
  uint64_t access;
  int32_t directory;
} __attribute__((packed));

/// The kernel's `struct sigaction`.
struct disposition {
  uint64_t handler, flags, restorer, mask;
};

void darkroom_reset_signals(void) {
  struct disposition standard = {0, 0, 0, 0};
  for (int number = 1; number <= 64; number++) direct(SYS_rt_sigaction, number, &standard, 0, sizeof standard.mask);
}

/// Makes the file size limit an error that the extension can handle (EFBIG), instead of a fatal signal.
static void ignore_file_limit(void) {
  struct disposition ignored = {1 /* SIG_IGN */, 0, 0, 0};
  direct(SYS_rt_sigaction, SIGXFSZ, &ignored, 0, sizeof ignored.mask);
}

/// Moves every descriptor of the plan to its number, and the descriptors that the process itself needs to the
/// following numbers. Closes all others.
static void place_descriptors(struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  const enum darkroom_step step = darkroom_step_descriptors;
  uint64_t count = plan->descriptor_count;
  int lifted[DARKROOM_MAXIMUM_DESCRIPTORS];
  if (count > DARKROOM_MAXIMUM_DESCRIPTORS) darkroom_fail(child, step, E2BIG, count);
  for (uint64_t i = 0; i < count; i++) {
    lifted[i] = (int)darkroom_must(child, step, darkroom_lift(plan->descriptors[i]), i);
  }
  int *const own[] = {&child->gate, &child->listener_socket, &child->tracer_socket, &child->ruleset, &child->listener};
  enum { OWN = sizeof own / sizeof own[0] };
  for (uint64_t i = 0; i < OWN; i++) {
    if (*own[i] >= 0) *own[i] = (int)darkroom_must(child, step, darkroom_lift(*own[i]), count + 1 + i);
  }
  for (uint64_t i = 0; i < count; i++) darkroom_must(child, step, direct(SYS_dup3, lifted[i], i, 0), i);
  uint64_t first = count;
  for (uint64_t i = 0; i < OWN; i++) {
    if (*own[i] < 0) continue;
    *own[i] = (int)darkroom_must(child, step, direct(SYS_dup3, *own[i], first, O_CLOEXEC), count + 1 + i);
    first++;
  }
  // The closed descriptors include everything that the host has open.
  darkroom_must(child, step, direct(SYS_close_range, first, ~0u, 0), first);
}

static void set_limits(const struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  for (uint64_t i = 0; i < plan->limit_count; i++) {
    struct rlimit64 limit = {plan->limits[i].soft, plan->limits[i].hard};
    darkroom_must(child, darkroom_step_limit, direct(SYS_prlimit64, 0, plan->limits[i].resource, &limit, 0), i);
  }
}

/// Adds rules to a ruleset. A failure is reported with the rule's index plus `first`.
static void add_rules(const struct darkroom_child *child, int ruleset, const struct darkroom_rule *rules,
                      uint64_t count, uint64_t first) {
  for (uint64_t i = 0; i < count; i++) {
    int path = (int)darkroom_must(child, darkroom_step_landlock_rule,
                                  direct(SYS_openat, AT_FDCWD, rules[i].path, O_PATH | O_CLOEXEC, 0), first + i);
    struct path_beneath rule = {rules[i].access, path};
    darkroom_must(child, darkroom_step_landlock_rule,
                  direct(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0), first + i);
    direct(SYS_close, path);
  }
}

void darkroom_add_rules(const struct darkroom_child *child, int ruleset) {
  add_rules(child, ruleset, child->plan->rules, child->plan->rule_count, 0);
}

/// Creates a ruleset without rules. A failure is reported with the index.
static int make_ruleset(const struct darkroom_child *child, const struct ruleset *handled, uint64_t index) {
  // A kernel accepts a longer structure if the members that it does not know are zero, so unknown rights can
  // be passed.
  return (int)darkroom_must(child, darkroom_step_landlock_ruleset,
                            direct(SYS_landlock_create_ruleset, handled, sizeof *handled, 0), index);
}

int darkroom_make_ruleset(const struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  const struct ruleset handled = {plan->landlock_files, plan->landlock_network, plan->landlock_scopes};
  return make_ruleset(child, &handled, 0);
}

/// Adds the plan's rules unless another process adds them.
///
/// If the init has created the ruleset, the init adds the rules, because it has less to do then. In a
/// parallel start the init has more to do, and a broker has added all but a few rules.
static void complete_rules(struct darkroom_child *child) {
  const int has_none = child->ruleset < 0;
  if (has_none) child->ruleset = darkroom_make_ruleset(child);
  if (has_none || child->ahead) darkroom_add_rules(child, child->ruleset);
}

/// Enforces a ruleset, and fails with the index plus one if the denied directory can be opened nevertheless.
static void enforce_ruleset(const struct darkroom_child *child, int ruleset, uint64_t index) {
  darkroom_must(child, darkroom_step_landlock_restrict, direct(SYS_landlock_restrict_self, ruleset, 0), index);
  direct(SYS_close, ruleset);
  const char *denied = child->plan->denied_directory;
  if (!denied) return;
  // A filter around the host can fake the success of the call above, and without namespaces no other mechanism
  // protects files.
  const long opened = direct(SYS_openat, AT_FDCWD, denied, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (opened >= 0) darkroom_fail(child, darkroom_step_landlock_restrict, EOPNOTSUPP, index + 1);
}

void darkroom_deny_state_root(const struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  if (!plan->state_root_files) return;
  const struct ruleset handled = {plan->state_root_files, 0, 0};
  const int ruleset = make_ruleset(child, &handled, 1);
  add_rules(child, ruleset, plan->state_root_rules, plan->state_root_rule_count, plan->rule_count);
  enforce_ruleset(child, ruleset, 2);
}

/// Opens the program with a descriptor number that the descriptor limit makes unusable afterwards.
static void open_executable(const struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  const enum darkroom_step step = darkroom_step_open_executable;
  int file = (int)darkroom_must(child, step, direct(SYS_openat, AT_FDCWD, plan->executable, O_PATH | O_CLOEXEC, 0), 0);
  darkroom_must(child, step, direct(SYS_dup3, file, plan->execute_once, O_CLOEXEC), 1);
  direct(SYS_close, file);
}

/// Waits until the host traces this process. The kernel adds the sender's credentials to the byte that is
/// sent.
static void await_tracer(const struct darkroom_child *child) {
  if (child->tracer_socket < 0) return;
  char byte = 0;
  long count = direct(SYS_write, child->tracer_socket, &byte, 1);
  if (count == 1) count = direct(SYS_read, child->tracer_socket, &byte, 1);
  // The end of the stream means that the host has exited or given up.
  if (count != 1) darkroom_fail(child, darkroom_step_await_tracer, count < 0 ? -count : EIO, 0);
}

static long execute(const struct darkroom_plan *plan) {
  if (plan->execute_once < 0) return direct(SYS_execve, plan->executable, plan->arguments, plan->environment);
  return direct(SYS_execveat, plan->execute_once, "", plan->arguments, plan->environment, AT_EMPTY_PATH);
}

/// Opens a pidfd of this process for the host, which can then kill the extension without waiting until the
/// exit of the init has done so.
static void open_own_pidfd(struct darkroom_child *child) {
  if (child->listener_socket < 0) return;
  long extension_pidfd = direct(SYS_pidfd_open, direct(SYS_getpid, 0), 0);
  child->extension_pidfd = (int)darkroom_must(child, darkroom_step_listener, extension_pidfd, 1);
}

/// Opens the current mount namespace for the host.
///
/// When the last reference to a mount namespace is dropped, the kernel waits for all processors. With this
/// reference, the end of the session does not wait for that. If the session has no proc and the kernel is
/// older than Linux 6.11, no reference is held.
static void hold_mounts(struct darkroom_child *child, int which) {
  if (child->listener_socket < 0 || !(child->plan->namespaces & CLONE_NEWNS)) return;
  // The ioctl avoids a path lookup in proc, whose first one is slow.
  long held = direct(SYS_ioctl, child->extension_pidfd, PIDFD_GET_MNT_NAMESPACE, 0);
  if (held < 0) held = direct(SYS_openat, AT_FDCWD, "/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC, 0);
  child->held_mounts[which] = (int)held;
}

/// Creates a socket in the network namespace, by which the host holds the namespace and can pass it to a
/// later session.
///
/// A descriptor of the namespace would also hold its inode, whose times would reveal to every session when
/// the first one started. No table in proc lists an unbound socket of this family.
static void hold_network(struct darkroom_child *child) {
  if (child->extension_pidfd < 0 || !child->plan->hold_network) return;
  child->held_network = (int)direct(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
}

void darkroom_leave_terminal(const struct darkroom_child *child) {
  darkroom_must(child, darkroom_step_session, direct(SYS_setsid, 0), 0);
  ignore_file_limit();
  // execve(2) would keep flags such as the one that disables address space randomization (setarch(8)).
  darkroom_must(child, darkroom_step_personality, direct(SYS_personality, 0), 0);
}

/// Drops the host resources of the process except its mounts.
static void leave_host(struct darkroom_child *child) {
  // Without a new keyring, the process would keep the host's session keyring. A kernel without keyrings has
  // none. The filters of container runtimes refuse the call to this process and to the extension. A restricted
  // session, which has the host's UID and therefore the host's user keyring anyway, then keeps the keyring.
  long keyring = direct(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0);
  if (keyring == -EPERM && child->plan->identity == darkroom_identity_restricted) {
    child->plan->keyring_error = EPERM;
  } else if (keyring < 0 && keyring != -ENOSYS) {
    darkroom_fail(child, darkroom_step_keyring, -keyring, 0);
  }
  place_descriptors(child);
  direct(SYS_umask, 077);
}

/// Waits until the host permits the program to be executed.
static void await_permission(struct darkroom_plan *plan) {
  if (plan->await_permission) darkroom_await_futex(&plan->is_permitted);
  darkroom_stamp(plan, DARKROOM_STAMP_PERMITTED);
}

/// Waits until the init is protected from other processes and has finished its steps for this process.
static void await_gate(const struct darkroom_child *child) {
  uint64_t opened = 0;
  long count = direct(SYS_read, child->gate, &opened, sizeof opened);
  if (count != sizeof opened) darkroom_fail(child, darkroom_step_wait_gate, count < 0 ? -count : EIO, 0);
  darkroom_stamp(child->plan, DARKROOM_STAMP_GATE);
}

/// Performs the steps in the session's root, then executes the program.
__attribute__((noreturn)) static void run_in_root(struct darkroom_child *child) {
  struct darkroom_plan *plan = child->plan;
  open_own_pidfd(child);
  hold_network(child);
  hold_mounts(child, 0);
  if (plan->hide_mounts) {
    darkroom_hide_mounts(child);
    hold_mounts(child, 1);
  }
  darkroom_must(child, darkroom_step_directory, direct(SYS_chdir, plan->directory), 0);
  if (plan->execute_once >= 0) open_executable(child);
  set_limits(child);
  if (plan->landlock && !child->ahead) complete_rules(child);
  darkroom_must(child, darkroom_step_capabilities, darkroom_drop_capabilities(), 0);
  darkroom_stamp(plan, DARKROOM_STAMP_EXTENSION_PREPARED);
  await_permission(plan);
  await_gate(child);
  if (plan->landlock) enforce_ruleset(child, child->ruleset, 0);
  darkroom_stamp(plan, DARKROOM_STAMP_LANDLOCK);
  await_tracer(child);

  uint64_t none = 0;
  darkroom_must(child, darkroom_step_signal_mask, direct(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, &none, 0, sizeof none),
                0);
  // The filter may refuse these calls.
  darkroom_leave_real_time(child);
  darkroom_complete_filters(child);
  // There is no timestamp after the filter, which may not allow the call. The host takes the time when the
  // process executes its program.
  darkroom_fail(child, darkroom_step_exec, -execute(plan), 0);
}

int darkroom_extension_main(void *argument) {
  struct darkroom_child own = *(struct darkroom_child *)argument;
  struct darkroom_child *child = &own;
  __atomic_store_n(&child->processors->extension_has_started, 1, __ATOMIC_RELEASE);
  if (child->plan->identity == darkroom_identity_restricted) darkroom_bind_to_init(child);
  darkroom_reset_signals();
  darkroom_leave_terminal(child);
  leave_host(child);
  // This runs in parallel to the helper, for which the process waits next.
  child->listener = darkroom_report_refusals(child);
  // The copy must contain only the session's own mounts.
  if (child->helper) darkroom_await_own_mounts(child);
  run_in_root(child);
}

/// Changes to the extension's user in a new user namespace.
static void become_user(const struct darkroom_child *child) {
  darkroom_enter_user_namespace(child, child->proc);
  darkroom_set_futex(&child->ahead->has_identity);
}

/// Performs the remaining steps while the init completes the root, then the steps in the root.
__attribute__((noreturn)) static void run_parallel_to_init(struct darkroom_child *child) {
  darkroom_drop_bounding_set(child);
  darkroom_lock_privileges(child);
  darkroom_limit_user_namespace(child, child->proc);
  leave_host(child);
  darkroom_await_futex(&child->ahead->has_root);
  if (child->plan->landlock) complete_rules(child);
  // The copy that is made next must contain only the session's own mounts.
  darkroom_await_futex(&child->ahead->has_own_mounts);
  darkroom_stamp(child->plan, DARKROOM_STAMP_IDENTITY);
  darkroom_stamp(child->plan, DARKROOM_STAMP_EXTENSION_CLONED);
  run_in_root(child);
}

void darkroom_continue_extension(const struct darkroom_child *argument, int listener) {
  struct darkroom_child own = *argument;
  struct darkroom_child *child = &own;
  child->listener = listener;
  __atomic_store_n(&child->processors->extension_has_started, 1, __ATOMIC_RELEASE);
  darkroom_must(child, darkroom_step_enter_prepared, direct(SYS_unshare, CLONE_FILES), 7);
  darkroom_join_control_group(child);
  darkroom_reset_scheduling(child);
  become_user(child);
  run_parallel_to_init(child);
}

int darkroom_parallel_extension_main(void *argument) {
  struct darkroom_child own = *(struct darkroom_child *)argument;
  struct darkroom_child *child = &own;
  __atomic_store_n(&child->processors->extension_has_started, 1, __ATOMIC_RELEASE);
  // This is the first step because the init waits for it.
  become_user(child);
  darkroom_reset_signals();
  darkroom_leave_terminal(child);
  child->listener = darkroom_report_refusals(child);
  run_parallel_to_init(child);
}
