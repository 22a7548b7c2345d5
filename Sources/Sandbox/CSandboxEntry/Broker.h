// SPDX-License-Identifier: Apache-2.0
//
// Data that a broker and its host share.
#pragma once

#include "Child.h"

#include <linux/sched.h>

/// The state of the broker. The kernel itself stores `ENDED` when the broker exits for any reason.
enum {
  DARKROOM_BROKER_ENDED,
  DARKROOM_BROKER_STARTING,
  /// The broker waits, and nothing is prepared.
  DARKROOM_BROKER_IDLE,
  /// The host has requested the preparation of a session, or the end of the broker.
  DARKROOM_BROKER_PREPARE,
  DARKROOM_BROKER_STOP,
  /// A session is prepared.
  DARKROOM_BROKER_READY,
};

/// The commands to the init that waits for its session.
enum {
  /// No command yet: the init may not be set up to exit with the host.
  DARKROOM_INIT_UNTIED,
  /// The init exits with the host, and waits for its session.
  DARKROOM_INIT_WAITING,
  /// The init must start its session with `child`.
  DARKROOM_INIT_GO,
};

/// A broker: the stacks of its processes, and the data that it shares with the host.
struct darkroom_broker {
  /// The state of the broker; a futex.
  uint32_t state;
  darkroom_identity identity;
  uint32_t user, group;
  /// The process ID of the host, with which the broker exits.
  int32_t host;
  /// The stacks of the broker, the init and the extension's process, one after the other.
  void *stack;
  uint64_t stack_size;
  /// The plan for the preparation.
  struct darkroom_plan *prepared;
  /// The delay before the preparation, in milliseconds.
  int32_t delay_ms;
  /// The mount namespace of the broker, a copy of the host's, and the one with the prepared root, or -1 if
  /// there is none.
  int own_mounts, prepared_mounts;
  /// The user namespace of an unprivileged user's broker, or -1 if there is none yet. See
  /// `darkroom_launch_in`.
  int own_user;
  /// The Landlock ruleset for the prepared root, or -1 if there is none.
  int prepared_ruleset;
  /// A detached proc that shows the processes of the prepared session, or -1 if there is none.
  int prepared_processes;
  /// A proc that shows every process of the host.
  int proc;
  /// The command to the waiting init; a futex.
  uint32_t init_state;
  /// The handshake between the waiting init and the extension's process, and the gate that finally holds the
  /// extension back, or -1 if there is none.
  struct darkroom_handshake ahead;
  int gate;
  /// The listener of the filter that is already installed in the extension's process, or -1 if there is none.
  int listener;
  /// The outcome that the init shares with the host. `init` is 2 when the init has requested to exit with the
  /// host.
  struct darkroom_outcome outcome;
  /// Whether a launch that reads `outcome` is in progress; a futex. See `darkroom_broker_engage`.
  uint32_t engagement;
  /// The launch with which the init starts.
  struct darkroom_child *child;
  /// The process ID of the init in the host's PID namespace, or 0 if there is none or a launch has taken it.
  /// The kernel stores it before the init starts.
  int32_t process;
  /// The pidfd of the init. The kernel stores a number here even if clone3 fails, and reuses that number.
  int pidfd;
  /// The pidfd of an init that was killed and not reaped, or -1 if there is none.
  int ending;
};

/// The namespaces that are created in advance. The PID namespace is created with the session init.
enum { DARKROOM_PREPARED = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP };

/// Returns the launch state for the steps that the broker shares with a launch. Failures are not reported.
struct darkroom_child darkroom_broker_child(struct darkroom_broker *broker, struct darkroom_plan *plan);

/// Creates the init, which creates the extension's process. They use the host's memory until they execute a
/// program, and the host's descriptors until they have a session.
void darkroom_broker_make_init(struct darkroom_broker *broker, const struct darkroom_child *child);

/// Closes a descriptor after setting the variable to -1. The cleanup of a killed broker closes the remaining
/// descriptors, whose numbers could have been reused otherwise.
void darkroom_broker_drop(int *descriptor);

/// Marks the prepared resources as in use by a launch, until the launch has ended.
///
/// The next session is requested in between, but the data that both launches share belongs to the current
/// launch until then.
void darkroom_broker_engage(struct darkroom_broker *broker);
void darkroom_broker_disengage(struct darkroom_broker *broker);

/// Waits until no launch is in progress.
void darkroom_broker_await_disengaged(struct darkroom_broker *broker);

/// Wakes the other side.
void darkroom_broker_wake(struct darkroom_broker *broker);

/// Sets the state and wakes the other side.
void darkroom_broker_advance(struct darkroom_broker *broker, uint32_t state);

/// Waits until the state differs from `state`, and returns the new state.
uint32_t darkroom_broker_await(struct darkroom_broker *broker, uint32_t state);

/// The entry function of the broker's process. The argument is a `struct darkroom_broker`.
int darkroom_broker_main(void *broker);
