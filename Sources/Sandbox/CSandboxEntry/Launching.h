// SPDX-License-Identifier: Apache-2.0
//
// Declarations that both kinds of launches share on the host's side. They differ only in the process that
// creates the init.
#pragma once

#include "Child.h"

/// The size of a stack before a program is executed.
enum { DARKROOM_STACK = 32768 };

/// The maximum number of descriptors that can be lent: those of the extension, and the other descriptors of a
/// launch.
enum { DARKROOM_LENT_BESIDES = 9, DARKROOM_MOST_LENT = DARKROOM_MAXIMUM_DESCRIPTORS + DARKROOM_LENT_BESIDES };

/// A descriptor that has another number while it is lent: the variable with the number, and the original
/// number.
struct darkroom_move {
  int32_t *field;
  int32_t before;
};

/// The descriptors that are lent to an init that starts with the host's descriptor table (SeparateDescriptorTable.c).
struct darkroom_loan {
  /// The number of descriptors that are lent, and their moves.
  int lent;
  struct darkroom_move moves[DARKROOM_MOST_LENT];
  /// The extension's descriptors with their lent numbers, and the plan's original list.
  int32_t descriptors[DARKROOM_MAXIMUM_DESCRIPTORS];
  const int32_t *list;
};

/// If the host has many descriptors, lets the init start with the host's table instead of a copy.
/// `table_bound` shows whether this is so. No other launch can do this until ``darkroom_await_own_table``.
void darkroom_lend_table(struct darkroom_child *child, struct darkroom_loan *loan);

/// Waits until the init has a separate descriptor table, if it has started, and takes back the lent
/// descriptors.
void darkroom_await_own_table(const struct darkroom_child *child, const struct darkroom_loan *loan,
                              int has_started);

/// Restores the descriptor numbers in the plan, when no process of the launch reads them.
void darkroom_return_table(struct darkroom_child *child, struct darkroom_loan *loan);

/// The state of one launch in the host.
struct darkroom_start {
  struct darkroom_child *child;
  /// The descriptors that are lent to the init.
  struct darkroom_loan loan;
  /// The stack of the init before it executes its program, and the stack of a process that creates the init,
  /// if there is one.
  void *stack, *maker_stack;
  /// The process ID of the init, or a negative error number, and its pidfd.
  long process;
  int pidfd;
};

/// The functions that create the init. The init uses the host's memory until it executes its program. The
/// host does not wait for that in the kernel (CLONE_VFORK). The waiting thread would be woken on the
/// processor on which the extension starts, and run after it.
struct darkroom_maker {
  /// Creates the init, or starts an existing one. `init` of the outcome must be nonzero while the init
  /// exists. The outcome of the child must be the one that the init shares.
  void (*begin)(struct darkroom_start *start, void *context);
  /// Called when the init has executed its program or exited, before the extension's process is waited for.
  /// May be NULL.
  void (*meanwhile)(void *context);
  void *context;
};

/// Creates the init of a launch with `make`, which returns the process ID or a negative error number. Signals
/// are blocked meanwhile.
void darkroom_start_init(struct darkroom_start *start, long (*make)(struct darkroom_start *start, void *context),
                         void *context);

/// Creates the init as a child of the calling thread. With CLONE_PARENT, the init is a child of the calling
/// process's parent, which shares the host's descriptors.
long darkroom_make_init(struct darkroom_start *start, uint64_t flags);

/// Carries out the plan, with an init from `maker`.
struct darkroom_launched darkroom_launch_by(struct darkroom_plan *plan, int32_t timeout_ms,
                                            const struct darkroom_maker *maker);

/// Returns a detached proc of the host, or a negative error number.
int darkroom_host_proc(void);
