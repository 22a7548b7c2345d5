// SPDX-License-Identifier: Apache-2.0
//
// The steps of the init of a restricted session: a session without namespaces, for users who cannot create
// any.
//
// Without a PID namespace, the kernel does not terminate the session with its init. The init therefore adopts
// orphaned processes. The extension leads a process group that no process of the session can leave, because
// the filter denies setsid(2) and setpgid(2). A single signal therefore terminates the whole group at once,
// including processes that are being forked.

#include "Child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/prctl.h>

/// Drops the privileges that an unprivileged user can drop. The bounding set and the securebits cannot be
/// changed, but do not matter for a process with no_new_privs, whose programs gain no privileges.
static void give_up_privileges(const struct darkroom_child *child) {
  for (int32_t number = 0; number <= child->plan->last_capability; number++) {
    direct(SYS_prctl, PR_CAPBSET_DROP, number, 0, 0, 0);
  }
  direct(SYS_prctl, PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE, 0, 0, 0);
  darkroom_must(child, darkroom_step_capabilities,
                direct(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), 0);
  darkroom_must(child, darkroom_step_no_new_privs, direct(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
}

/// Returns a pipe with the process ID of the extension, which the init reads first.
static int number_in_pipe(const struct darkroom_child *child) {
  int ends[2];
  const enum darkroom_step step = darkroom_step_init_descriptors;
  darkroom_must(child, step, direct(SYS_pipe2, ends, O_CLOEXEC), 20);
  darkroom_must(child, step, direct(SYS_write, ends[1], &child->extension, sizeof child->extension), 21);
  direct(SYS_close, ends[1]);
  return ends[0];
}

/// Places the five descriptors that the init keeps, and the gate, which the init closes later. The image is
/// closed by execveat.
static void place_descriptors(struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  const enum darkroom_step step = darkroom_step_init_descriptors;
  int kept[] = {plan->status_write,    plan->control_read, child->children,   child->tree,
                number_in_pipe(child), plan->init_image,   child->gate};
  for (uint64_t i = 0; i < 7; i++) kept[i] = (int)darkroom_must(child, step, darkroom_lift(kept[i]), i);
  for (int i = 0; i < 7; i++) {
    darkroom_must(child, step, direct(SYS_dup3, kept[i], 3 + i, i == 5 ? O_CLOEXEC : 0), (uint64_t)i);
  }
  darkroom_must(child, step, direct(SYS_close_range, 10, ~0u, 0), 11);
  darkroom_must(child, step, direct(SYS_close_range, 0, 2, 0), 12);
}

void darkroom_bind_to_init(const struct darkroom_child *child) {
  darkroom_must(child, darkroom_step_die_with_init, direct(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), 0);
  // The init may have exited before the call above.
  if (direct(SYS_getppid, 0) != child->init) darkroom_fail(child, darkroom_step_die_with_init, ESRCH, 1);
  char *text = child->plan->process_number;
  if (text) *(darkroom_put_number(text, (uint32_t)direct(SYS_getpid, 0), ' ') - 1) = 0;
}

int darkroom_restricted_main(void *argument) {
  struct darkroom_child *child = argument;
  struct darkroom_plan *plan = child->plan;
  darkroom_take_own_table(child);
  darkroom_stamp(plan, DARKROOM_STAMP_CLONED);
  darkroom_join_control_group(child);
  darkroom_reset_scheduling(child);
  darkroom_must(child, darkroom_step_adopt, direct(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
  child->tree = (int)darkroom_must(
      child, darkroom_step_open_children,
      direct(SYS_openat, AT_FDCWD, "/proc/thread-self/children", O_RDONLY | O_CLOEXEC, 0), 0);
  darkroom_stamp(plan, DARKROOM_STAMP_ROOT);
  give_up_privileges(child);
  // The extension's process inherits both. The policy's filter and ruleset are added to them later.
  darkroom_deny_sockets(child);
  darkroom_deny_state_root(child);
  child->init = (int32_t)direct(SYS_getpid, 0);
  darkroom_stamp(plan, DARKROOM_STAMP_IDENTITY);

  // The extension's process reads `child` concurrently from here on, so this process works on a copy.
  int32_t extension = darkroom_clone_extension(child, darkroom_extension_main);
  struct darkroom_child own = *child;
  own.extension = plan->extension = extension;
  darkroom_stamp(plan, DARKROOM_STAMP_EXTENSION_CLONED);
  place_descriptors(&own);
  darkroom_restore_extension_affinity(own.processors, extension);
  darkroom_must(&own, darkroom_step_init_capabilities, darkroom_drop_capabilities(), 0);
  darkroom_leave_real_time(&own);

  const char *const arguments[] = {"darkroom-init", own.plan->session, 0};
  static const char *const environment[] = {0};
  darkroom_must(&own, darkroom_step_exec_init,
                direct(SYS_execveat, 8, "", arguments, environment, AT_EMPTY_PATH), 0);
  return 125;
}
