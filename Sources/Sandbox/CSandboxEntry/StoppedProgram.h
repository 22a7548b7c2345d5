// SPDX-License-Identifier: Apache-2.0
//
// Declarations for a launch with a debugger.
#pragma once

#include <stdint.h>

/// Creates the sockets for the handshake of the host and the extension's process. The first socket is the
/// host's, and receives the sender's credentials with every message. Returns an error number, or 0.
int darkroom_tracer_sockets(int sockets[2]);

/// Starts the extension's program and stops it before its first instruction. The calling thread is the tracer
/// meanwhile.
///
/// Returns the process ID in the host's PID namespace when no process traces it. Returns 0 if the process has
/// failed before (the outcome contains the step), or a negative error number of the host. `traced` is nonzero
/// while the process is traced.
long darkroom_stop_at_program(int socket, int32_t timeout_ms, int32_t *traced);

/// Waits for the exit of a process that this thread still traces and that has been killed.
void darkroom_reap_traced(int32_t traced);
