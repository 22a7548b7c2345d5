// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "call.h"

/// The version of Darkroom (`DarkroomRelease.swift`). A server of another version refuses the request.
#define DARKROOM_VERSION "0.1.0"

/// A request as JSON (`ServiceRequest.swift`).
struct request {
  char text[512 << 10];
  size_t length;
};

/// Writes the request for a command, with the environment and the file mode mask of this process. Returns `false` if
/// the request is too large.
bool request_write(struct request *request, const struct call *call, bool has_terminal);
