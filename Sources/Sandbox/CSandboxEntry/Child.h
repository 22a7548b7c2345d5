// SPDX-License-Identifier: Apache-2.0
//
// What the steps between clone3 and execve share.
#pragma once

#include "CSandboxEntry.h"
#include "DirectCalls.h"

#include <time.h>

/// The process that does what can be done beside everything else.
struct darkroom_helper {
  void *stack;
  uint64_t stack_size;
  /// How far it is; a futex.
  uint32_t state;
  /// Whether it has come to run.
  uint32_t has_begun;
  int pidfd;
  /// The new root, which it takes the old one from.
  int root;
  /// What it could not do, and why; `none` if it has done everything.
  enum darkroom_step step;
  int32_t error;
};

/// The processors that the host may use.
struct darkroom_processors {
  /// How many bytes of the set mean anything; 0: nobody knows which they are.
  uint64_t size;
  /// One bit each, with room for those of the largest machine that Linux knows.
  uint64_t set[128];
  /// The word and the bit of the processor that the host's thread waits on; -1: not known yet, or to nobody.
  int64_t host;
  uint64_t host_bit;
  /// Whether the extension's process has come to run.
  uint32_t extension_has_begun;
};

/// What is written when a step fails.
struct darkroom_report {
  int32_t step, error, index;
};

/// What the processes of a launch and the host share as long as their memory is one.
struct darkroom_outcome {
  /// Not zero as long as there is the init, and the extension's process, and has not executed its program. Futexes, which
  /// the kernel clears (CLONE_CHILD_CLEARTID): nobody has to be alive to tell the host of an end.
  uint32_t init, extension;
  /// Whether the init has descriptors of its own, where it began with the host's. A futex.
  uint32_t has_own_table;
  /// Whether a step has failed; the first that has is told.
  uint32_t has_failed;
  struct darkroom_report report;
};

/// The extension's process is the first one of its pid namespace that is made after the init.
enum { DARKROOM_EXTENSION = 2 };

/// What the init and the extension's process of a session tell each other that work beside each other.
struct darkroom_ahead {
  /// Futexes. Whether the extension's process is to begin, whether it has its user namespace, whether it is somebody there,
  /// whether the root is complete, and whether nothing of the host is mounted any more.
  uint32_t begun, has_namespace, has_identity, has_root, has_own_mounts;
};

/// One launch as its processes see it: the plan, and what they make on the way.
struct darkroom_child {
  struct darkroom_plan *plan;
  /// Where the first failed step is noted; null: nobody looks at it.
  struct darkroom_outcome *outcome;
  /// A proc with everything in it that is mounted nowhere: the host's own, which knows every process of the session as
  /// `self`; -1 where none is needed.
  int proc;
  /// The host's process, which can be read when it is no more; -1: nobody knows.
  int host;
  /// The extension may execute once something was written here (eventfd(2)).
  int gate;
  /// The listener of the filter that reports what it refuses; -1 where it has none, or is not in force yet.
  int listener;
  /// Where the listener is sent; -1 where it has none.
  int listener_socket;
  /// Where the extension's process waits until the host traces it; -1 where it does not.
  int tracer_socket;
  /// What the helper and those that wait for it share; both processes have it at the same place. Null where there is none:
  /// what it would do was done before, or the init does it.
  struct darkroom_helper *helper;
  /// The mount namespace with the prepared root; -1 where there is none.
  int prepared;
  /// The Landlock ruleset that a broker has made, with the rules for what stands in that root, or else the init; -1 where
  /// there is none, or the extension's process makes it itself.
  int ruleset;
  /// Whether the root is prepared for a pid namespace that is yet to begin: its processes are not shown there.
  int is_ahead;
  /// What both processes of a session share that work beside each other; null elsewhere.
  struct darkroom_ahead *ahead;
  /// The extension's own process, for the host to hold; -1 where nothing is sent to it.
  int itself;
  /// The mount namespaces of the session, for the host to hold; -1: none.
  int held_mounts[2];
  /// A socket in the network namespace of the session, by which the host holds that; -1: none.
  int held_network;
  /// Reports the end of children to the init.
  int children;
  /// The stack of the extension before it executes its program.
  void *extension_stack;
  uint64_t extension_stack_size;
  /// Of a restricted session: the init's number, the extension's as the init alone knows it, and the list of the
  /// init's children. Zero elsewhere.
  int32_t init, extension;
  int tree;
  /// Where the processes may run.
  struct darkroom_processors *processors;
  /// Not zero: the init begins with the host's descriptors, of which it takes those below this one.
  uint32_t table_bound;
};

/// Notes which step failed and ends the process; the kernel ends the rest of the session with pid 1.
__attribute__((noreturn)) void darkroom_fail(const struct darkroom_child *child, enum darkroom_step step, long error,
                                             uint64_t index);

/// Ends the process with a report if `result` is an error.
static inline long darkroom_must(const struct darkroom_child *child, enum darkroom_step step, long result,
                                 uint64_t index) {
  if (result < 0) darkroom_fail(child, step, -result, index);
  return result;
}

/// Notes the time of a moment in the plan.
void darkroom_stamp(struct darkroom_plan *plan, int moment);

/// The most descriptors that an extension can be given.
enum { DARKROOM_MAXIMUM_DESCRIPTORS = 32 };

/// Moves a descriptor to a number of at least 64, out of the way of those that are being placed.
long darkroom_lift(int descriptor);

/// Writes a number as text, and after it one more character; returns where that ends.
char *darkroom_put_number(char *at, uint32_t number, char after);

/// The length of a text. The empty statement keeps an optimizing compiler from making a call of the C library of the loop.
static inline unsigned long darkroom_length(const char *text) {
  unsigned long length = 0;
  while (text[length]) {
    length++;
    __asm__ volatile("");
  }
  return length;
}

/// Writes a whole short text to a file of an open directory.
long darkroom_write_file(int directory, const char *path, const char *text);

/// Empties the effective, permitted and inheritable capability sets; the ambient set follows.
long darkroom_drop_capabilities(void);

/// Moves this process to another mount namespace than the one of its root; needs the capabilities of its user namespace.
void darkroom_hide_mounts(const struct darkroom_child *child);

/// The most things that are added to a root that was prepared.
enum { DARKROOM_MAXIMUM_OWN_ITEMS = 128 };

/// The parts of building a root: what stands in it, the end of every change, the change to it, above which the old one
/// still lies.
int darkroom_assemble_root(struct darkroom_child *child);
void darkroom_seal_root(const struct darkroom_child *child, int root);
void darkroom_enter_root(const struct darkroom_child *child);

/// Lets this mount namespace see what the host mounts and unmounts, and not the other way round.
void darkroom_follow_host_mounts(const struct darkroom_child *child);

/// Makes what shows the processes of this pid namespace, where the plan wants it shown; -1: it does not.
int darkroom_take_processes(const struct darkroom_child *child);

/// Shows them in the current root, where the plan wants it.
void darkroom_show_processes(const struct darkroom_child *child, const struct darkroom_plan *prepared, int processes);

/// Takes what the items show of the host, while the host's mounts are there.
void darkroom_take_mounts(const struct darkroom_child *child, int *mounts);

/// Puts the plan's items into the current root, and seals it.
void darkroom_complete_root(const struct darkroom_child *child, const int *mounts);

/// Makes what the init reads the end of a child from, also after execveat: all signals are blocked until then.
void darkroom_watch_children(struct darkroom_child *child);

/// The last steps of the init, whose extension's process is there, and its image.
__attribute__((noreturn)) void darkroom_execute_init(struct darkroom_child *child, int32_t extension);

/// Installs the filter that reports what it refuses; returns its listener, -1: the plan has no such filter. From here on
/// the process can call what the policy allows and what carries the mark; whoever adds a call has to name it among the
/// launcher's (`LauncherCalls`).
int darkroom_report_refusals(const struct darkroom_child *child);

/// Sends the listener and installs the second filter, or the only one where nothing is reported.
void darkroom_complete_filters(const struct darkroom_child *child);

/// Makes the plan's Landlock ruleset, without any rule.
int darkroom_make_ruleset(const struct darkroom_child *child);

/// Adds the plan's rules to a ruleset; their paths are those of the current root.
void darkroom_add_rules(const struct darkroom_child *child, int ruleset);

/// A proc of this pid namespace, with everything in it, that is mounted nowhere.
long darkroom_detached_proc(void);

/// Maps the inner user and group to the outer ones. `proc` holds this process as `self`.
void darkroom_map_identity(const struct darkroom_child *child, int proc);

/// Takes of the host's descriptors those of the session, where the init began with the host's; the first thing that it does.
void darkroom_take_own_table(const struct darkroom_child *child);

/// Begins to make the network namespace where the session gets one: has the helper make it, or makes it where there is
/// none.
void darkroom_begin_network(const struct darkroom_child *child);

/// Moves this process to the network namespace, and lets the helper take away the host's mounts, or does it where there is
/// none; needs the privileges of the first step, and the new root.
void darkroom_join_network(const struct darkroom_child *child, int root);

/// Whether the helper's last call has returned.
int darkroom_has_left_host(const struct darkroom_child *child);

/// Waits until the session has no mount but its own.
void darkroom_await_own_mounts(const struct darkroom_child *child);

/// Waits until the helper, if there is one, has done everything and is gone.
void darkroom_end_helper(const struct darkroom_child *child);

/// Enters the network namespace that a socket holds; negative: minus the error.
long darkroom_enter_network(int socket);

/// Enters the plan's network, or makes a new one; negative: minus the error.
long darkroom_make_network(const struct darkroom_child *child);

/// Builds the session's root and makes it the root; returns it, open. The host's is still stacked over it.
int darkroom_build_root(struct darkroom_child *child);

/// Gives every signal its default effect: handlers go with execve, but what the host ignores would stay ignored.
void darkroom_reset_signals(void);

/// The entry of the extension's process: its steps, then its program. Takes a `struct darkroom_child`.
int darkroom_extension_main(void *child);

/// What the extension's process can do whatever session it is for: it leaves the host's terminal, and begins with what a
/// program expects.
void darkroom_leave_terminal(const struct darkroom_child *child);

/// The same for a process that has waited for its session, and so has nothing of what the init does before it makes one; but
/// it has the filter that reports, whose listener this is.
__attribute__((noreturn)) void darkroom_begin_extension(const struct darkroom_child *child, int listener);

/// The same for one that works beside its init (SideBySide.c). Takes a `struct darkroom_child`.
int darkroom_extension_beside(void *child);

/// Sets a futex, and wakes who waits for it.
void darkroom_tell(uint32_t *word);

/// Waits until a futex is set.
void darkroom_await(uint32_t *word);

/// Waits until the extension's process has set a futex, and fails if that is no more. One that is new has just been put on a
/// processor, where it is about to begin.
void darkroom_await_extension(const struct darkroom_child *child, uint32_t *word, int is_new);

/// Waits until the kernel has cleared a futex, until a moment of CLOCK_MONOTONIC, or as long as it takes; 0: it has not.
int darkroom_await_cleared(const uint32_t *word, const struct timespec *until);

/// Makes what holds the extension back until the init is ready.
int darkroom_make_gate(const struct darkroom_child *child);

/// Gives the process the scheduling that the plan says, not that of the thread which launches.
void darkroom_reset_scheduling(const struct darkroom_child *child);

/// Gives up the real time of the thread that launches: the last thing before a program is executed.
void darkroom_leave_real_time(const struct darkroom_child *child);

/// Notes the processors that the calling thread may use.
void darkroom_note_processors(struct darkroom_processors *processors);

/// Has no process of a launch placed if so many launches are under way that none has a second processor. Returns whether
/// that is so.
int darkroom_leave_crowded(struct darkroom_processors *processors, int launches);

/// Has a process that this one has just made begin on another processor than this one.
void darkroom_run_beside(struct darkroom_processors *processors, int32_t process);

/// Has the host's thread stay on its processor until ``darkroom_run_anywhere``.
void darkroom_stay_here(struct darkroom_processors *processors);

/// Has the extension's process begin on another processor than that which the host's thread waits on.
void darkroom_begin_beside_host(struct darkroom_processors *processors, int32_t extension);

/// Lets the extension's process run wherever the host may; if it has not come to run, it begins here.
void darkroom_let_extension_run(struct darkroom_processors *processors, int32_t extension);

/// Lets a process that this one has made run wherever the host may.
void darkroom_run_anywhere(const struct darkroom_processors *processors, int32_t process);

/// Has a process that this one has made run on the processor of this one.
void darkroom_run_here(const struct darkroom_processors *processors, int32_t process);

/// Has the kernel send this process a signal when the thread of the host is gone that its life hangs on; 0: none.
void darkroom_end_with_parent(const struct darkroom_child *child, int signal);

/// Names the machine that the session sees.
void darkroom_name_host(const struct darkroom_child *child);

/// Joins the session's control group, where there is one.
void darkroom_join_control_group(const struct darkroom_child *child);

/// Puts the extension's user into a user namespace of its own. `proc` knows this process as `self`.
void darkroom_become_other(const struct darkroom_child *child, int proc);

/// Takes away what no process of the session may ever have. A user namespace that is entered later gives it back.
void darkroom_drop_bounding_set(const struct darkroom_child *child);

/// Has no program that is executed gain a privilege, for good.
void darkroom_lock_privileges(const struct darkroom_child *child);

/// Sets the session's clocks. They hold from the moment at which a process executes its program, which is early enough
/// (time_namespaces(7): a process that shares memory with the host keeps the host's).
void darkroom_set_clocks(const struct darkroom_child *child, int proc);

/// Becomes the extension's user in a user namespace of its own where the session has one, and gives up for good what no
/// process of the session may have. `proc` knows this process as `self`.
void darkroom_change_identity(const struct darkroom_child *child, int proc);

/// The same for an init that has waited, and dropped its bounding set meanwhile. The user namespace is the extension's
/// alone; the init stays outside, without a privilege in either.
void darkroom_change_identity_ahead(const struct darkroom_child *child, int proc);

/// Bounds what the session can take of the things that the kernel counts for the user outside. `proc` shows the limits of
/// the user namespace that this process is in; a machine where they cannot be written says so in the record.
void darkroom_limit_user_namespace(const struct darkroom_child *child, int proc);

/// Makes the extension's process, which begins with `entry`. Returns its number.
int32_t darkroom_clone_extension(struct darkroom_child *child, int (*entry)(void *));

/// Ties the extension of a restricted session to its init, which no kernel does without a pid namespace.
void darkroom_bind_to_init(const struct darkroom_child *child);

/// The entry of the init's process of a restricted session. Takes a `struct darkroom_child`.
int darkroom_restricted_main(void *child);

/// The first steps of an init: it takes its descriptors, ends with the host, and leaves the control group and the scheduling of
/// the thread that has made it.
void darkroom_leave_maker(const struct darkroom_child *child);

/// The entry of the session init's process: its steps, then the init image. Takes a `struct darkroom_child`.
int darkroom_init_main(void *child);

/// The same for one that works beside the extension's process (SideBySide.c).
int darkroom_init_beside(void *child);
