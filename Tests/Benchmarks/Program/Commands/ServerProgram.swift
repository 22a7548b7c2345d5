// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// A `darkroom serve` process with its own state root, which is terminated with this value.
final class ServerProgram {
  /// The options that select this server.
  let options: [String]
  /// The path of the socket for programs.
  let socket: String
  private let program: SpawnedProgram

  /// The timeout for the start of listening, in milliseconds.
  private static let timeout = 5000

  /// Starts `darkroom serve` and waits until it listens. If it does not, the measured commands run without a
  /// server, which their times show.
  init(_ darkroom: String, _ setup: BenchmarkSetup) throws {
    let root = "\(setup.directory)/served"
    let null = setup.null.rawValue
    options = ["--root", root]
    program = try SpawnedProgram.start(
      [darkroom] + options + ["serve", "--photo-library", "none", "--lock-state", "unlocked"],
      descriptors: [0: null, 1: null, 2: null]
    )
    socket = "\(root)/serve/host"
    for _ in 0..<Self.timeout where try FileSystem.status(socket) == nil {
      MonotonicClock.sleep(milliseconds: 1)
    }
  }

  deinit {
    program.send(.terminate)
    _ = try? program.reap()
  }
}
