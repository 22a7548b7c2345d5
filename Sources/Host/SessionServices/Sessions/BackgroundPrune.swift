// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SessionStore

/// The background process `darkroom prune`, which empties the trash and outlives the command.
package enum BackgroundPrune {
  /// Starts the process if the trash is not empty.
  ///
  /// A failure to start is ignored: the next `darkroom prune` or `darkroom recover` deletes the same files.
  package static func start(_ root: StateRoot) {
    guard (try? root.hasTrash()) == true, let waiting = try? Trash(root).pendingNames(), !waiting.isEmpty,
      let program = try? CurrentProcess.executablePath(),
      // A program that embeds the host has a different executable.
      FileSystem.lastComponent(program) == "darkroom",
      let nowhere = try? FileSystem.open("/dev/null", .readWrite)
    else { return }
    let prune = DetachedProgram(
      path: program,
      arguments: ["darkroom", "prune", "--root", root.path],
      environment: [],
      directory: "/"
    )
    try? prune.start(output: nowhere).reapInBackground()
  }
}
