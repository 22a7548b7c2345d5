// SPDX-License-Identifier: Apache-2.0
//
// What the two ways of launching share: on the host's side everything but who makes the init.
#pragma once

#include "Child.h"

/// The size of a stack before a program is executed.
enum { DARKROOM_STACK = 32768 };

/// The descriptors of a launch besides those of the extension, and all that can be lent.
enum { DARKROOM_LENT_BESIDES = 9, DARKROOM_MOST_LENT = DARKROOM_MAXIMUM_DESCRIPTORS + DARKROOM_LENT_BESIDES };

/// A descriptor that has another number as long as it is lent: where the number stands, and what it was.
struct darkroom_move {
  int32_t *field;
  int32_t before;
};

/// What an init gets that begins with the host's descriptors (OwnTable.c).
struct darkroom_loan {
  /// How many descriptors are in places for it, and which.
  int lent;
  struct darkroom_move moves[DARKROOM_MOST_LENT];
  /// The extension's, where they are for the init, and the plan's own list of them.
  int32_t descriptors[DARKROOM_MAXIMUM_DESCRIPTORS];
  const int32_t *list;
};

/// Where the host has many descriptors, lets the init begin with them instead of a copy; `table_bound` says whether it is so.
/// Then nobody else's init does until ``darkroom_await_own_table``.
void darkroom_lend_table(struct darkroom_child *child, struct darkroom_loan *loan);

/// Waits until the init has descriptors of its own, if it has begun, and takes back what was lent.
void darkroom_await_own_table(const struct darkroom_child *child, const struct darkroom_loan *loan,
                              int has_begun);

/// Puts the plan's numbers back when no process of the launch reads them any more.
void darkroom_return_table(struct darkroom_child *child, struct darkroom_loan *loan);

/// One launch as the host sees it.
struct darkroom_start {
  struct darkroom_child *child;
  /// What its init is lent.
  struct darkroom_loan loan;
  /// The stacks of the init before it executes its program, and of a process that makes it, for who makes one.
  void *stack, *maker_stack;
  /// The init, or minus the error of making it, and its pidfd.
  long process;
  int pidfd;
};

/// Who makes the init. Its memory is the host's until it executes. Nobody waits for that asleep in the kernel (CLONE_VFORK):
/// who is woken by it is woken where the extension begins to run, and comes after it.
struct darkroom_maker {
  /// Makes the init, or has one that was made begin. `init` of the outcome is not zero as long as there is one, and the
  /// outcome of the child is the one that it shares.
  void (*begin)(struct darkroom_start *start, void *context);
  /// Called when there is no init any more that has not executed its program, and the extension's process is waited for;
  /// null: nothing is to be done then.
  void (*meanwhile)(void *context);
  void *context;
};

/// Makes the init of a launch by `make`, which answers with its number or minus the error. No signal comes meanwhile.
void darkroom_begin_init(struct darkroom_start *start, long (*make)(struct darkroom_start *start, void *context),
                         void *context);

/// Makes the init as a child of the host's thread: of the calling one, or with CLONE_PARENT of the one that has made the
/// calling process, which shares the host's descriptors.
long darkroom_make_init(struct darkroom_start *start, uint64_t flags);

/// Works off the plan, with an init that comes from `maker`.
struct darkroom_launched darkroom_launch_by(struct darkroom_plan *plan, int32_t timeout_ms,
                                            const struct darkroom_maker *maker);

/// A proc of the host's that is mounted nowhere; negative: minus the error.
int darkroom_own_proc(void);
