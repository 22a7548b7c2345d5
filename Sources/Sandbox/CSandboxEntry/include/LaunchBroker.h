// SPDX-License-Identifier: Apache-2.0
//
// The interface of a broker for Swift. A broker is a process that prepares a session before its launch, as
// far as the preparation does not depend on the launch.
#pragma once

#include "CSandboxEntry.h"

#pragma clang assume_nonnull begin

/// The UID of an unprivileged caller in the user namespace of its broker.
enum { DARKROOM_BROKERED_USER = 1000 };

/// A process that prepares sessions, and the data that it shares with the host.
struct darkroom_broker;

/// This function is provided because Swift cannot share memory with another process.
///
/// Returns the memory of a broker that is not running yet, or NULL on failure.
struct darkroom_broker *_Nullable darkroom_broker_make(darkroom_identity identity, uint32_t user, uint32_t group);

/// This function is provided because Swift cannot clone3 with CLONE_VM.
///
/// Creates the broker's process and waits until it exits. Returns 0, or a negative error number if the
/// process could not be created. The process exits with the calling thread.
int darkroom_broker_run(struct darkroom_broker *broker);

/// This function is provided because the host waits for the broker by a futex.
///
/// Requests the preparation of a session with the items of a plan, and returns at once. The plan must not
/// change until another preparation is requested or the broker has exited. The broker starts after
/// `delay_ms`.
void darkroom_broker_prepare(struct darkroom_broker *broker, struct darkroom_plan *plan, int32_t delay_ms);

/// This function is provided because the host waits for the broker by a futex.
///
/// Waits until the requested session is prepared or the broker has exited.
void darkroom_broker_await_ready(struct darkroom_broker *broker);

/// This function is provided because the host waits for the broker by a futex.
///
/// Returns whether a session is prepared.
int darkroom_broker_is_ready(const struct darkroom_broker *broker);

/// This function is provided because Swift has no access to the shared data.
///
/// Returns the process ID, in the host's PID namespace, of the init that waits for its session, or 0 if there
/// is none.
int32_t darkroom_broker_waiting_init(const struct darkroom_broker *broker);

/// This function is provided because the host waits for the broker by a futex.
///
/// Returns whether the broker is busy, so that the host must wait before a new request.
int darkroom_broker_is_busy(const struct darkroom_broker *broker);

/// This function is provided because the host waits for the broker by a futex.
///
/// Returns whether the broker has exited or could not be created.
int darkroom_broker_is_over(const struct darkroom_broker *broker);

/// This function is provided for the reason of ``darkroom_launch``.
///
/// Carries out a plan with the prepared session, to which the plan's items are added. Call it only if
/// ``darkroom_broker_is_ready``. As soon as the session owns the prepared resources, `next` is requested as
/// by ``darkroom_broker_prepare``.
struct darkroom_launched darkroom_broker_launch(struct darkroom_broker *broker, struct darkroom_plan *plan,
                                                int32_t timeout_ms, struct darkroom_plan *next, int32_t delay_ms);

/// This function is provided because Swift has no access to the shared data.
///
/// Returns whether the broker has its own user namespace, as that of an unprivileged user has. The namespace
/// outlives the broker.
int darkroom_broker_has_user(const struct darkroom_broker *broker);

/// This function is provided for the reason of ``darkroom_launch``.
///
/// Carries out a plan with the identity `brokered`, without a prepared session, in the broker's user
/// namespace. Network namespaces created there can be reused by other sessions. The broker itself takes no
/// part.
struct darkroom_launched darkroom_launch_in(const struct darkroom_broker *broker, struct darkroom_plan *plan,
                                            int32_t timeout_ms);

/// This function is provided because the host waits for the broker by a futex.
///
/// Stops the broker. Its memory stays valid until ``darkroom_broker_run`` has returned.
void darkroom_broker_stop(struct darkroom_broker *broker);

/// This function is provided because Swift cannot free memory of an incomplete type.
void darkroom_broker_free(struct darkroom_broker *broker);

#pragma clang assume_nonnull end
