// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "call.h"

/// Passes a command to its server, and represents the command in the user's shell until the command exits
/// (`ServiceClient.swift`).
///
/// Returns the exit code, or -1 if no server runs the command. In that case, the signal mask, the descriptors and the
/// terminal are unchanged.
int forward(const struct call *call);
