// SPDX-License-Identifier: Apache-2.0
//
// What the two ways of launching share: on the host's side everything but who makes the init.
#pragma once

#include "Child.h"

/// The size of a stack before a program is executed.
enum { DARKROOM_STACK = 32768 };

/// Makes the init, and returns when it has executed its program or is no more: its number, or minus the error.
typedef long (*darkroom_beginner)(struct darkroom_child *child, void *stack, int *pidfd, void *context);

/// Works off the plan, with an init that `begin` makes.
struct darkroom_launched darkroom_launch_by(struct darkroom_plan *plan, int32_t timeout_ms, darkroom_beginner begin,
                                            void *context);

/// A proc of the host's that is mounted nowhere; negative: minus the error.
int darkroom_own_proc(void);
