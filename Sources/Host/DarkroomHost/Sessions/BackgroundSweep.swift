// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SessionStore

/// The background process `darkroom sweep`, which empties the trash and outlives the command.
package enum BackgroundSweep {
  /// Starts a sweep if the trash is not empty.
  ///
  /// A failure to start is ignored: the next sweep or recovery deletes the same files.
  package static func start(_ root: StateRoot) {
    guard (try? root.hasTrash()) == true, let waiting = try? Trash(root).pendingNames(), !waiting.isEmpty,
      let program = try? CurrentProcess.executablePath(),
      // A program that embeds the host has a different executable.
      FileSystem.lastComponent(program) == "darkroom",
      let nowhere = try? FileSystem.open("/dev/null", .readWrite)
    else { return }
    let sweep = DetachedProgram(
      path: program,
      arguments: ["darkroom", "sweep", "--root", root.path],
      environment: [],
      directory: "/"
    )
    try? sweep.start(output: nowhere).reapInBackground()
  }
}
