// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// A `darkroom serve` with a state root of its own, for as long as this value is there.
final class ServingProgram {
  /// What to say to be served by it.
  let options: [String]
  private let program: SpawnedProgram

  /// How long a server may take until it listens, in milliseconds.
  private static let patience = 5000

  /// Starts `darkroom`, and waits until it listens. Whoever comes to one that does not is not served, and says so by the time
  /// that it takes.
  init(_ darkroom: String, _ setting: Setting) throws {
    let root = "\(setting.directory)/served"
    let null = setting.null.rawValue
    options = ["--root", root]
    program = try SpawnedProgram.start(
      [darkroom] + options + ["serve"],
      descriptors: [0: null, 1: null, 2: null]
    )
    let socket = "\(root)/serve/control"
    for _ in 0..<Self.patience where try FileSystem.status(socket) == nil {
      MonotonicClock.sleep(milliseconds: 1)
    }
  }

  deinit {
    program.send(.terminate)
    _ = try? program.reap()
  }
}
