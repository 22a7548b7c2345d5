// SPDX-License-Identifier: Apache-2.0
//
// What the two ways of launching share: on the host's side everything but who makes the init.
#pragma once

#include "Child.h"

/// The size of a stack before a program is executed.
enum { DARKROOM_STACK = 32768 };

/// One launch as the host sees it.
struct darkroom_start {
  struct darkroom_child *child;
  /// The stack of the init before it executes its program.
  void *stack;
  /// The report. Its write end is closed once the init has its own, by whoever makes the init; -1: it is.
  int report_read, report_write;
  /// The init, or minus the error of making it, and its pidfd.
  long process;
  int pidfd;
  /// Whether there is an init, or was one.
  int was_made;
};

/// Who makes the init. Its memory is the host's until it executes; nobody waits for that by being asleep in the kernel
/// (CLONE_VFORK), because who is woken by it is woken where the extension begins to run, and comes after it.
struct darkroom_maker {
  /// Makes the init, or has it made.
  void (*begin)(struct darkroom_start *start, void *context);
  /// Waits until it is known what came of that.
  void (*settle)(struct darkroom_start *start, void *context);
  void *context;
  /// Can be read when nobody will make the init any more; -1: there is nothing to watch.
  int guard;
};

/// Works off the plan, with an init that comes from `maker`.
struct darkroom_launched darkroom_launch_by(struct darkroom_plan *plan, int32_t timeout_ms,
                                            const struct darkroom_maker *maker);

/// A proc of the host's that is mounted nowhere; negative: minus the error.
int darkroom_own_proc(void);

/// Waits until no other launch is where its init changes its user, and notes what the host's memory is like. Returns what
/// the kernel clears when the init that is made next executes its program or ends (CLONE_CHILD_CLEARTID).
uint32_t *darkroom_begin_user_change(void);

/// The same when no init was made.
void darkroom_cancel_user_change(void);

/// Makes the host's memory again what it was, when no launch needs it otherwise any more. Call it once the init's memory
/// is its own.
void darkroom_end_user_change(void);
