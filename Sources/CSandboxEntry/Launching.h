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
  /// The stack of the init before it executes its program, for who makes one.
  void *stack;
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

/// Works off the plan, with an init that comes from `maker`.
struct darkroom_launched darkroom_launch_by(struct darkroom_plan *plan, int32_t timeout_ms,
                                            const struct darkroom_maker *maker);

/// A proc of the host's that is mounted nowhere; negative: minus the error.
int darkroom_own_proc(void);
