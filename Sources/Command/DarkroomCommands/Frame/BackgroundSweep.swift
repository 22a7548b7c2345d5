// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// The background process `darkroom sweep`, which empties the trash and outlives the command.
enum BackgroundSweep {
  /// Starts a sweep if the trash is not empty.
  ///
  /// A failure to start is ignored: the next sweep or recovery deletes the same files.
  static func start(_ root: StateRoot) {
    guard (try? root.hasTrash()) == true, let waiting = try? Trash(root).pendingNames(), !waiting.isEmpty,
      let program = try? CurrentProcess.executablePath(),
      // A program that uses these commands as a library has a different executable.
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
