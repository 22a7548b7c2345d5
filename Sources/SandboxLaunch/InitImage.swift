// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives
internal import Synchronization

/// A program that looks after a session, in a memory file that nobody can change.
enum InitImage {
  /// Process 1 of a session's pid namespace.
  case namespaced
  /// What stands for it in a session without one.
  case restricted

  /// The files, each made at the first launch that needs it; one serves all sessions of the process.
  private static let files = Mutex<[InitImage: Int32]>([:])

  /// A descriptor of the file. It stays open as long as the process lives.
  func descriptor() throws(SystemCallError) -> Int32 {
    try Self.files.withLock { (files) throws(SystemCallError) in
      if let descriptor = files[self] { return descriptor }
      var bytes = [UInt8](repeating: 0, count: 8192)
      let size =
        switch self {
        case .namespaced: darkroom_init_image(&bytes, bytes.count)
        case .restricted: darkroom_restricted_image(&bytes, bytes.count)
        }
      let made = try MemoryFile.makeSealed(name: "darkroom-init", bytes: Array(bytes[..<size])).release()
      files[self] = made
      return made
    }
  }
}
