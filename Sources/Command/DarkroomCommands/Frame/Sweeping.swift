// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// Empties the trash behind a command's back: `darkroom sweep`, which outlives the command.
enum Sweeping {
  /// Starts a sweep if something waits. That it cannot be started is no failure: the next one, or recovery, does the same.
  static func begin(_ root: StateRoot) {
    guard (try? root.hasTrash()) == true, let waiting = try? Trash(root).waiting(), !waiting.isEmpty,
      let program = try? CurrentProcess.executablePath(),
      // Whoever has these commands as a library has another program.
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
