// SPDX-License-Identifier: Apache-2.0
//
// What a broker and its host share.
#pragma once

#include "Child.h"

/// How far the two are. The kernel itself writes `ENDED` when the broker is no more, however it came to its end.
enum {
  DARKROOM_BROKER_ENDED,
  DARKROOM_BROKER_STARTING,
  /// It waits, and nothing is prepared.
  DARKROOM_BROKER_IDLE,
  /// The host has asked for a session to be prepared, or for one to be begun, or for the end.
  DARKROOM_BROKER_PREPARE,
  DARKROOM_BROKER_LAUNCH,
  DARKROOM_BROKER_STOP,
  /// A session is prepared.
  DARKROOM_BROKER_READY,
  /// There is the init of a session, or there will be none.
  DARKROOM_BROKER_LAUNCHED,
};

/// A broker: its process's stack, and what it and the host tell each other.
struct darkroom_broker {
  /// A futex.
  uint32_t state;
  darkroom_identity identity;
  uint32_t user, group;
  /// The host, whose end is the broker's.
  int32_t host;
  void *stack;
  uint64_t stack_size;
  /// What is prepared.
  struct darkroom_plan *prepared;
  /// How long the broker waits before it prepares that, in milliseconds.
  int32_t delay_ms;
  /// The mount namespace that the broker lives in, a copy of the host's, and the one with the prepared root; -1: none.
  int own_mounts, prepared_mounts;
  /// The Landlock ruleset for the prepared root; -1: none.
  int prepared_ruleset;
  /// A proc that knows every process of the host.
  int proc;
  /// The broker's process; -1: there was none.
  int itself;
  /// What is begun, on which stack, and what came of it.
  struct darkroom_child *child;
  void *init_stack;
  uint64_t init_stack_size;
  /// The report's write end, which the broker closes once the init has its own; -1: it is, or is about to be.
  int report_write;
  long process;
  /// Written by the kernel when there is an init, before that begins; 0: there was none.
  int32_t made;
  /// Its descriptor. The kernel leaves a number here also where it then made none, and gives that to somebody else.
  int pidfd;
};

/// Wakes the other side.
void darkroom_broker_wake(struct darkroom_broker *broker);

/// Tells the other side that it is its turn.
void darkroom_broker_advance(struct darkroom_broker *broker, uint32_t state);

/// Waits until the other side has gone on from a state; returns the new one.
uint32_t darkroom_broker_await(struct darkroom_broker *broker, uint32_t state);

/// Leaves what was prepared; its mounts go with it. For the broker, and for the host while the broker waits for work.
void darkroom_broker_drop_prepared(struct darkroom_broker *broker);

/// The entry of the broker's process. Takes a `struct darkroom_broker`.
int darkroom_broker_main(void *broker);
