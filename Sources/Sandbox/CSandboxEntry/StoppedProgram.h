// SPDX-License-Identifier: Apache-2.0
//
// What a launch for a debugger needs besides.
#pragma once

#include <stdint.h>

/// Makes the sockets over which the host and the extension's process agree: the first is the host's, and hears with every
/// message who has sent it. Returns an error, or 0.
int darkroom_tracer_sockets(int sockets[2]);

/// Begins the extension's program and stops it before its first instruction. All of it happens on one thread, which is the
/// tracer meanwhile.
///
/// Positive: the process, as the host sees it, which nobody traces any more. 0: it has failed before, and the outcome
/// says at which step. Negative: minus the error of the host. `traced` is set as long as the process is traced.
long darkroom_stop_at_program(int socket, int32_t timeout_ms, int32_t *traced);

/// Waits for the end of a process that is still traced by this thread and has been killed.
void darkroom_bury_traced(int32_t traced);
