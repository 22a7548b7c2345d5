// SPDX-License-Identifier: Apache-2.0
//
// What Swift sees of a broker: a process that makes ahead of a session whatever does not depend on it.
#pragma once

#include "CSandboxEntry.h"

#pragma clang assume_nonnull begin

/// The user that an ordinary caller is in the user namespace of its broker.
enum { DARKROOM_BROKERED_USER = 1000 };

/// A process that prepares sessions ahead, and what the host shares with it.
struct darkroom_broker;

/// This function is provided because Swift can share no memory with another process.
///
/// The memory of a broker that does not run yet; null where there is none.
struct darkroom_broker *_Nullable darkroom_broker_make(darkroom_identity identity, uint32_t user, uint32_t group);

/// This function is provided because Swift cannot clone3 with CLONE_VM.
///
/// Makes the broker's process and returns when it has ended, 0 or minus the error of making it. The process ends with the
/// calling thread.
int darkroom_broker_run(struct darkroom_broker *broker);

/// This function is provided because the broker is waited for by a futex.
///
/// Has a session prepared with the items of a plan, which must stay as it is until another is asked for or the broker is
/// gone. Returns at once; the broker begins after so many milliseconds.
void darkroom_broker_prepare(struct darkroom_broker *broker, struct darkroom_plan *plan, int32_t delay_ms);

/// This function is provided because the broker is waited for by a futex.
///
/// Waits until what was asked for is prepared, or the broker is gone.
void darkroom_broker_await_ready(struct darkroom_broker *broker);

/// This function is provided because the broker is waited for by a futex.
///
/// Whether something is prepared.
int darkroom_broker_is_ready(const struct darkroom_broker *broker);

/// This function is provided because Swift does not see what the two share.
///
/// The init that waits for its session, as the host's pid namespace has it; 0: none does.
int32_t darkroom_broker_waiting(const struct darkroom_broker *broker);

/// This function is provided because the broker is waited for by a futex.
///
/// Whether the broker has to be waited for before it can be asked for anything.
int darkroom_broker_is_busy(const struct darkroom_broker *broker);

/// This function is provided because the broker is waited for by a futex.
///
/// Whether the broker has ended, or could not be made.
int darkroom_broker_is_over(const struct darkroom_broker *broker);

/// This function is provided for the reason of ``darkroom_launch``.
///
/// The same with what was prepared, to which the plan's items are added. Call it after ``darkroom_broker_is_ready``. As soon
/// as the session has what was prepared, `next` is asked for as ``darkroom_broker_prepare`` does.
struct darkroom_launched darkroom_broker_launch(struct darkroom_broker *broker, struct darkroom_plan *plan,
                                                int32_t timeout_ms, struct darkroom_plan *next, int32_t delay_ms);

/// This function is provided because Swift does not see what the two share.
///
/// Whether there is a user namespace of the broker's own, as an ordinary user's has one; it stays when the broker has ended.
int darkroom_broker_has_user(const struct darkroom_broker *broker);

/// This function is provided for the reason of ``darkroom_launch``.
///
/// The same, with nothing that was prepared, in the broker's user namespace, of an identity that is `brokered`: networks that
/// are made there can be another session's afterwards. The broker itself has nothing to do with it.
struct darkroom_launched darkroom_launch_in(const struct darkroom_broker *broker, struct darkroom_plan *plan,
                                            int32_t timeout_ms);

/// This function is provided because the broker is waited for by a futex.
///
/// Ends the broker. Its memory stays until ``darkroom_broker_run`` has returned.
void darkroom_broker_stop(struct darkroom_broker *broker);

/// This function is provided because Swift cannot release what it cannot see.
void darkroom_broker_free(struct darkroom_broker *broker);

#pragma clang assume_nonnull end
