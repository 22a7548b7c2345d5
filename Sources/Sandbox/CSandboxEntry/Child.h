// SPDX-License-Identifier: Apache-2.0
//
// Declarations for the steps between clone3 and execve.
#pragma once

#include "CSandboxEntry.h"
#include "DirectCalls.h"

#include <time.h>

/// The helper process, which performs slow steps in parallel.
struct darkroom_helper {
  void *stack;
  uint64_t stack_size;
  /// The progress of the helper; a futex.
  uint32_t state;
  /// Whether the helper has started to run.
  uint32_t has_started;
  int pidfd;
  /// The new root, from which the helper unmounts the old root.
  int root;
  /// The step that failed and its error, or `none` if all steps succeeded.
  enum darkroom_step step;
  int32_t error;
};

/// The processors that the host may use.
struct darkroom_processors {
  /// The size of the set in bytes, or 0 if the set is unknown.
  uint64_t size;
  /// One bit per processor, for the maximum number of processors that Linux supports.
  uint64_t set[128];
  /// The word and bit of the processor on which the host's thread waits. `host` is -1 if it is unknown or
  /// must not be used.
  int64_t host;
  uint64_t host_bit;
  /// Whether the extension's process has started to run.
  uint32_t extension_has_started;
};

/// The report of a failed step.
struct darkroom_report {
  int32_t step, error, index;
};

/// The outcome of a launch, in the memory that its processes and the host share.
struct darkroom_outcome {
  /// Nonzero while the init, or the extension's process, exists and has not executed its program. These are
  /// futexes that the kernel clears (CLONE_CHILD_CLEARTID), so the host is notified even if a process is
  /// killed.
  uint32_t init, extension;
  /// Whether the init has a separate descriptor table, if it started with the host's; a futex.
  uint32_t has_own_table;
  /// Whether a step has failed. Only the first failure is reported.
  uint32_t has_failed;
  struct darkroom_report report;
};

/// The process ID of the extension: it is the second process of its PID namespace.
enum { DARKROOM_EXTENSION = 2 };

/// The handshake of the init and the extension's process of a session that start in parallel.
struct darkroom_handshake {
  /// Futexes, in order: the extension's process may start, it has its user namespace, it has its identity
  /// there, the root is complete, and no mount of the host is left.
  uint32_t begun, has_namespace, has_identity, has_root, has_own_mounts;
};

/// The state of one launch in its processes: the plan, and the resources that they create.
struct darkroom_child {
  struct darkroom_plan *plan;
  /// The outcome with the report of the first failed step, or NULL if failures are not reported.
  struct darkroom_outcome *outcome;
  /// A complete, detached proc of the host, which shows every process of the session as `self`, or -1 if none
  /// is needed.
  int proc;
  /// A pidfd of the host's process, or -1 if there is none.
  int host;
  /// The eventfd(2) that lets the extension execute its program when it is written.
  int gate;
  /// The listener of the filter that reports refused calls, or -1 if there is none yet.
  int listener;
  /// The socket to which the listener is sent, or -1 if there is none.
  int listener_socket;
  /// The socket on which the extension's process waits until the host traces it, or -1 if it is not traced.
  int tracer_socket;
  /// The state of the helper, at the same address in both processes. NULL if there is no helper: its steps
  /// were done before, or the init does them.
  struct darkroom_helper *helper;
  /// The mount namespace with the prepared root, or -1 if there is none.
  int prepared;
  /// The Landlock ruleset, or -1 if there is none or the extension's process creates it. A broker creates it
  /// with the rules for the files in that root, or else the init creates it.
  int ruleset;
  /// Whether the root is prepared for a PID namespace that does not exist yet. Its proc is not mounted then.
  int is_prewarm;
  /// The handshake of both processes of a session that start in parallel, or NULL otherwise.
  struct darkroom_handshake *ahead;
  /// A pidfd of the extension's own process for the host, or -1 if it is not sent.
  int extension_pidfd;
  /// The mount namespaces of the session, which the host holds open, or -1.
  int held_mounts[2];
  /// A socket in the network namespace of the session, by which the host holds the namespace, or -1.
  int held_network;
  /// The signalfd that reports the exit of children to the init.
  int children;
  /// The stack of the extension's process before it executes its program.
  void *extension_stack;
  uint64_t extension_stack_size;
  /// For a restricted session: the process IDs of the init and the extension (the latter only in the init),
  /// and the list of the init's children. Zero otherwise.
  int32_t init, extension;
  int tree;
  /// Nonzero if the init creates its time namespace, because clone(2) has no flag for one.
  int unshares_time;
  /// The processors that the processes may use.
  struct darkroom_processors *processors;
  /// If nonzero, the init starts with the host's descriptor table, from which it takes the descriptors below
  /// this number.
  uint32_t table_bound;
};

/// Reports the failed step and exits. In a PID namespace, the kernel terminates the rest of the session with
/// PID 1.
__attribute__((noreturn)) void darkroom_fail(const struct darkroom_child *child, enum darkroom_step step, long error,
                                             uint64_t index);

/// Fails with a report if `result` is negative. Otherwise returns `result`.
static inline long darkroom_must(const struct darkroom_child *child, enum darkroom_step step, long result,
                                 uint64_t index) {
  if (result < 0) darkroom_fail(child, step, -result, index);
  return result;
}

/// Stores the current time in the plan.
void darkroom_stamp(struct darkroom_plan *plan, int moment);

/// The maximum number of descriptors of an extension.
enum { DARKROOM_MAXIMUM_DESCRIPTORS = 32 };

/// Duplicates a descriptor to a number of at least 64, so that it does not conflict with the descriptors that
/// are placed.
long darkroom_lift(int descriptor);

/// Writes a decimal number, followed by one character. Returns the end of the text.
char *darkroom_put_number(char *at, uint32_t number, char after);

/// Returns the length of a text. The empty statement prevents an optimizing compiler from replacing the loop
/// by a call of the C library.
static inline unsigned long darkroom_length(const char *text) {
  unsigned long length = 0;
  while (text[length]) {
    length++;
    __asm__ volatile("");
  }
  return length;
}

/// Writes a short text to a file in an open directory, in a single write.
long darkroom_write_file(int directory, const char *path, const char *text);

/// Empties the effective, permitted and inheritable capability sets, and thereby the ambient set.
long darkroom_drop_capabilities(void);

/// Moves this process to a mount namespace other than that of its root. Requires the capabilities of its user
/// namespace.
void darkroom_hide_mounts(const struct darkroom_child *child);

/// The maximum number of items that are added to a prepared root.
enum { DARKROOM_MAXIMUM_OWN_ITEMS = 128 };

/// The steps of building a root: create its contents, make it read-only, and enter it. Afterwards the old
/// root is still mounted on top of it.
int darkroom_assemble_root(struct darkroom_child *child);
void darkroom_seal_root(const struct darkroom_child *child, int root);
void darkroom_enter_root(const struct darkroom_child *child);

/// Makes this mount namespace receive the host's mount events, but not the reverse.
void darkroom_follow_host_mounts(const struct darkroom_child *child);

/// Creates a detached proc of this PID namespace, if the plan has such an item. Returns -1 otherwise.
int darkroom_take_processes(const struct darkroom_child *child);

/// Attaches that proc in the current root, if the plan has such an item.
void darkroom_show_processes(const struct darkroom_child *child, const struct darkroom_plan *prepared, int processes);

/// Clones the mounts of the host that the items show, while the host's mounts are present.
void darkroom_take_mounts(const struct darkroom_child *child, int *mounts);

/// Adds the plan's items to the current root, and makes it read-only.
void darkroom_complete_root(const struct darkroom_child *child, const int *mounts);

/// Creates the signalfd from which the init reads the exit of children, even after execveat. All signals are
/// blocked until then.
void darkroom_watch_children(struct darkroom_child *child);

/// Performs the last steps of the init when the extension's process exists, and executes its image.
__attribute__((noreturn)) void darkroom_execute_init(struct darkroom_child *child, int32_t extension);

/// Installs the filter that reports refused calls. Returns its listener, or -1 if the plan has no such
/// filter.
///
/// Afterwards, the process can make only the calls that the policy allows, and the launcher's calls with the
/// mark. New calls must be added to `LauncherCalls`.
int darkroom_report_refusals(const struct darkroom_child *child);

/// Sends the listener and installs the second filter, or installs the only filter if no calls are reported.
void darkroom_complete_filters(const struct darkroom_child *child);

/// Creates the plan's Landlock ruleset without rules.
int darkroom_make_ruleset(const struct darkroom_child *child);

/// Adds the plan's rules to a ruleset. Their paths are resolved in the current root.
void darkroom_add_rules(const struct darkroom_child *child, int ruleset);

/// Enforces the plan's ruleset of the state root on this process and its future children, and fails if the state root
/// can be opened nevertheless. Requires no_new_privs.
void darkroom_deny_state_root(const struct darkroom_child *child);

/// Installs the plan's socket filter for this process and its future children, and fails if a socket can be created
/// nevertheless. Requires no_new_privs.
void darkroom_deny_sockets(const struct darkroom_child *child);

/// Returns a complete, detached proc of this PID namespace.
long darkroom_detached_proc(void);

/// Maps the inner user and group to the outer ones. `proc` must show this process as `self`.
void darkroom_map_identity(const struct darkroom_child *child, int proc);

/// Takes the session's descriptors from the host's descriptor table, if the init started with it. This must
/// be the init's first step.
void darkroom_take_own_table(const struct darkroom_child *child);

/// Starts to create the network namespace, if the session has one: by the helper, or by this process if there
/// is no helper.
void darkroom_start_network(struct darkroom_child *child);

/// Moves this process to the network namespace, and makes the helper unmount the host's mounts. Without a
/// helper, this process does both. Requires the initial privileges and the new root.
void darkroom_join_network(const struct darkroom_child *child, int root);

/// Returns whether the last call of the helper has returned.
int darkroom_has_left_host(const struct darkroom_child *child);

/// Waits until the session has only its own mounts.
void darkroom_await_own_mounts(const struct darkroom_child *child);

/// Waits until the helper, if there is one, has finished and exited.
void darkroom_end_helper(const struct darkroom_child *child);

/// Enters the network namespace of a socket. Returns a negative error number on failure.
long darkroom_enter_network(int socket);

/// Enters the plan's network namespace or creates a new one. Returns a negative error number on failure.
long darkroom_make_network(const struct darkroom_child *child);

/// Builds and enters the session's root, and returns a descriptor of it. The host's root is still mounted on
/// top of it.
int darkroom_build_root(struct darkroom_child *child);

/// Resets every signal to its default action. execve resets handlers, but not signals that the host ignores.
void darkroom_reset_signals(void);

/// The entry function of the extension's process: its steps, then its program. The argument is a `struct
/// darkroom_child`.
int darkroom_extension_main(void *child);

/// Performs the steps of the extension's process that do not depend on the session: it leaves the host's
/// terminal, and sets the attributes that a program expects.
void darkroom_leave_terminal(const struct darkroom_child *child);

/// Continues the extension's process of a prewarmed session, which did not inherit the init's changes but has
/// the reporting filter with this listener.
__attribute__((noreturn)) void darkroom_continue_extension(const struct darkroom_child *child, int listener);

/// The entry function of an extension's process that starts in parallel to its init (ParallelInit.c). The
/// argument is a `struct darkroom_child`.
int darkroom_parallel_extension_main(void *child);

/// Sets a futex and wakes a process that waits for it.
void darkroom_set_futex(uint32_t *word);

/// Waits until a futex is set.
void darkroom_await_futex(uint32_t *word);

/// Waits until the extension's process has set a futex, and fails if that process has exited. If `is_new` is
/// set, the process has just been assigned to a processor, where it is about to start.
void darkroom_await_extension(const struct darkroom_child *child, uint32_t *word, int is_new);

/// Waits until the kernel has cleared a futex, at most until a time of CLOCK_MONOTONIC. Returns 0 on a
/// timeout.
int darkroom_await_cleared(const uint32_t *word, const struct timespec *until);

/// Creates the gate that holds the extension back until the init is ready.
int darkroom_make_gate(const struct darkroom_child *child);

/// Sets the scheduling of the plan, instead of that of the launching thread.
void darkroom_reset_scheduling(const struct darkroom_child *child);

/// Drops the real-time policy of the launching thread, as the last step before a program is executed.
void darkroom_leave_real_time(const struct darkroom_child *child);

/// Reads the processors that the calling thread may use.
void darkroom_read_affinity(struct darkroom_processors *processors);

/// Disables processor placement if the given number of concurrent launches leaves none of them a second
/// processor. Returns whether it is disabled.
int darkroom_skip_placement_if_busy(struct darkroom_processors *processors, int launches);

/// Makes a new child start on another processor than the current one.
void darkroom_run_on_other_processor(struct darkroom_processors *processors, int32_t process);

/// Keeps the host's thread on its processor until ``darkroom_restore_affinity``.
void darkroom_pin_host_thread(struct darkroom_processors *processors);

/// Makes the extension's process start on another processor than the one on which the host's thread waits.
void darkroom_run_off_host_processor(struct darkroom_processors *processors, int32_t extension);

/// Lets the extension's process run on all processors of the host. If it has not started yet, it starts on
/// the current processor.
void darkroom_restore_extension_affinity(struct darkroom_processors *processors, int32_t extension);

/// Lets a child run on all processors of the host.
void darkroom_restore_affinity(const struct darkroom_processors *processors, int32_t process);

/// Makes a child run on the current processor.
void darkroom_run_on_current_processor(const struct darkroom_processors *processors, int32_t process);

/// Makes the kernel send a signal to this process when its parent thread in the host exits. 0 means no
/// signal.
void darkroom_end_with_parent(const struct darkroom_child *child, int signal);

/// Sets the host name of the session.
void darkroom_name_host(const struct darkroom_child *child);

/// Joins the session's control group, if there is one.
void darkroom_join_control_group(const struct darkroom_child *child);

/// Changes to the extension's user in a new user namespace. `proc` must show this process as `self`.
void darkroom_enter_user_namespace(const struct darkroom_child *child, int proc);

/// Empties the capability bounding set. A user namespace that is entered later would restore it.
void darkroom_drop_bounding_set(const struct darkroom_child *child);

/// Ensures that executed programs never gain privileges.
void darkroom_lock_privileges(const struct darkroom_child *child);

/// Sets the session's clocks. They apply when a process executes its program (time_namespaces(7)): a process
/// that shares memory with the host keeps the host's clocks.
void darkroom_set_clocks(const struct darkroom_child *child, int proc);

/// Changes to the extension's user in a new user namespace, if the session has one, and permanently drops the
/// privileges of all processes of the session. `proc` must show this process as `self`.
void darkroom_change_identity(const struct darkroom_child *child, int proc);

/// Changes the identity of an init that has dropped its bounding set while waiting. Only the extension enters
/// the user namespace. The init stays outside, without privileges in either namespace.
void darkroom_change_parallel_init_identity(const struct darkroom_child *child, int proc);

/// Limits the session's use of resources that the kernel counts for the outer user. `proc` must show the
/// limits of this process's user namespace. A failure is recorded in the plan.
void darkroom_limit_user_namespace(const struct darkroom_child *child, int proc);

/// Creates the extension's process with an entry function, and returns its process ID.
int32_t darkroom_clone_extension(struct darkroom_child *child, int (*entry)(void *));

/// Makes the extension of a restricted session exit with its init, which a PID namespace would do otherwise.
void darkroom_bind_to_init(const struct darkroom_child *child);

/// The entry function of the init of a restricted session. The argument is a `struct darkroom_child`.
int darkroom_restricted_main(void *child);

/// Performs the first steps of an init. It takes its descriptors, exits with the host, joins the control
/// group, and resets the scheduling of the thread that created it.
void darkroom_leave_maker(const struct darkroom_child *child);

/// The entry function of the session init: its steps, then the init image. The argument is a `struct
/// darkroom_child`.
int darkroom_init_main(void *child);

/// The entry function of a session init that starts in parallel to the extension's process (ParallelInit.c).
int darkroom_parallel_init_main(void *child);
