// SPDX-License-Identifier: Apache-2.0
//
// The run loop of Core Foundation, which only programs with all of Foundation contain. Weak references to its
// functions are `NULL` in all other programs, and link nothing.
#pragma once

#pragma clang assume_nonnull begin

/// This function is provided because Swift cannot declare weak references.
///
/// Returns whether the program contains Core Foundation's run loop.
int darkroom_has_run_loop(void);

/// This function is provided because Swift cannot declare weak references.
///
/// Makes a call of ``darkroom_run_loop_once`` return when `descriptor` becomes ready. The descriptor must stay
/// open, and it must be one that read(2) leaves unchanged, such as an epoll(7) instance, because the run loop
/// reads 8 bytes to acknowledge an event. To be called once, on the main thread.
void darkroom_run_loop_watch(int descriptor);

/// This function is provided because Swift cannot declare weak references.
///
/// Runs the main run loop until it has handled one event: a timer, a block, or work of the main queue. To be
/// called on the main thread, after ``darkroom_run_loop_watch``.
///
/// @param seconds The longest time to wait for an event; 0 does not wait.
void darkroom_run_loop_once(double seconds);

#pragma clang assume_nonnull end
