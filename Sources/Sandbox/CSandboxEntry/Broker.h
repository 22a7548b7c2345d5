// SPDX-License-Identifier: Apache-2.0
//
// What a broker and its host share.
#pragma once

#include "Child.h"

#include <linux/sched.h>

/// How far the two are. The kernel itself writes `ENDED` when the broker is no more, however it came to its end.
enum {
  DARKROOM_BROKER_ENDED,
  DARKROOM_BROKER_STARTING,
  /// It waits, and nothing is prepared.
  DARKROOM_BROKER_IDLE,
  /// The host has asked for a session to be prepared, or for the end.
  DARKROOM_BROKER_PREPARE,
  DARKROOM_BROKER_STOP,
  /// A session is prepared.
  DARKROOM_BROKER_READY,
};

/// What the init that waits for its session has been told.
enum {
  /// Nothing: it may be that nobody would end it if the host ended.
  DARKROOM_INIT_UNTIED,
  /// It ends with the host, and waits for its session.
  DARKROOM_INIT_WAITING,
  /// It is to begin with what `child` says.
  DARKROOM_INIT_GO,
};

/// A broker: its process's stack, and what it and the host tell each other.
struct darkroom_broker {
  /// A futex.
  uint32_t state;
  darkroom_identity identity;
  uint32_t user, group;
  /// The host, whose end is the broker's.
  int32_t host;
  /// The stacks of the broker, of the init and of the extension's process, one behind the other.
  void *stack;
  uint64_t stack_size;
  /// What is prepared.
  struct darkroom_plan *prepared;
  /// How long the broker waits before it prepares that, in milliseconds.
  int32_t delay_ms;
  /// The mount namespace that the broker lives in, a copy of the host's, and the one with the prepared root; -1: none.
  int own_mounts, prepared_mounts;
  /// The user namespace that the broker of an ordinary user lives in; -1: none, or not yet. See `darkroom_launch_in`.
  int own_user;
  /// The Landlock ruleset for the prepared root; -1: none.
  int prepared_ruleset;
  /// What shows the processes of the session to come, mounted nowhere; -1: nothing does.
  int prepared_processes;
  /// A proc that knows every process of the host.
  int proc;
  /// What the init that waits has been told; a futex.
  uint32_t told;
  /// What the init and the extension's process that wait tell each other, and what holds the latter back in the end; -1:
  /// there is none.
  struct darkroom_ahead ahead;
  int gate;
  /// The listener of the filter that is in force for the extension's process already; -1: there is none.
  int listener;
  /// What it shares with the host. Its `init` is 2 once it has asked for its end.
  struct darkroom_outcome outcome;
  /// Whether a launch is under way, which looks at `outcome` until it is over; a futex. See `darkroom_broker_engage`.
  uint32_t engagement;
  /// What it is to begin with.
  struct darkroom_child *child;
  /// Its number in the host's pid namespace. Written by the kernel when there is one, before it begins; 0: there is none, or
  /// it has been given away.
  int32_t process;
  /// Its descriptor. The kernel leaves a number here also where it then made none, and gives that to somebody else.
  int pidfd;
  /// One that was told to end, and whose end nobody has taken; -1: none.
  int ending;
};

/// What is made ahead; the pid namespace begins with a session's init.
enum { DARKROOM_PREPARED = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP };

/// What the steps that the broker shares with a launch see of it; nobody looks at what has failed.
struct darkroom_child darkroom_broker_child(struct darkroom_broker *broker, struct darkroom_plan *plan);

/// Makes the init, which makes the extension's process. Their memory is the host's until they execute, and their descriptors
/// are until they have a session.
void darkroom_broker_make_init(struct darkroom_broker *broker, const struct darkroom_child *child);

/// Closes a descriptor, and forgets it before: whoever frees a broker that was killed closes what it knows, and the number
/// could be somebody else's by then.
void darkroom_broker_drop(int *descriptor);

/// That a launch has what was prepared, and that it needs nothing of the broker any more. The next session is asked for in
/// between, and whatever the two share is that launch's until it is over.
void darkroom_broker_engage(struct darkroom_broker *broker);
void darkroom_broker_disengage(struct darkroom_broker *broker);

/// Waits until no launch is under way.
void darkroom_broker_await_disengaged(struct darkroom_broker *broker);

/// Wakes the other side.
void darkroom_broker_wake(struct darkroom_broker *broker);

/// Tells the other side that it is its turn.
void darkroom_broker_advance(struct darkroom_broker *broker, uint32_t state);

/// Waits until the other side has gone on from a state; returns the new one.
uint32_t darkroom_broker_await(struct darkroom_broker *broker, uint32_t state);

/// The entry of the broker's process. Takes a `struct darkroom_broker`.
int darkroom_broker_main(void *broker);
