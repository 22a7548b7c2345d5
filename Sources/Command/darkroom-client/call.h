// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <sys/un.h>

/// A command that a server can run.
struct call {
  /// The arguments without the program's name, and their number.
  char **words;
  int count;
  /// The path of the server's socket.
  char socket[sizeof((struct sockaddr_un *)0)->sun_path];
};

/// Reads the command line, without the program's name, and the environment. Returns whether a server may run the
/// command, if there is a server.
///
/// The full command has the exact conditions (`ServedCommands.swift`). This function only has to return `false`
/// whenever the full command would run the command itself.
bool call_read(struct call *call, int count, char **words);
