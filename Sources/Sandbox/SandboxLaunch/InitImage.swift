// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives
internal import Synchronization

/// A program that looks after a session, in a memory file that nobody can change.
final class InitImage: Sendable {
  /// Process 1 of a session's pid namespace.
  static let namespaced = InitImage { darkroom_init_image($0, $1) }
  /// What stands for it in a session without one.
  static let restricted = InitImage { darkroom_restricted_image($0, $1) }

  /// Writes the program into a buffer, and gives its size.
  private let write: @Sendable (UnsafeMutablePointer<UInt8>, Int) -> Int
  /// The file, made at the first launch that needs it; it serves all sessions of the process.
  private let file = Mutex<Int32?>(nil)

  private init(write: @escaping @Sendable (UnsafeMutablePointer<UInt8>, Int) -> Int) { self.write = write }

  /// A descriptor of the file. It stays open as long as the process lives.
  func descriptor() throws(SystemCallError) -> Int32 {
    try file.withLock { (file) throws(SystemCallError) in
      if let file { return file }
      var bytes = [UInt8](repeating: 0, count: 8192)
      let size = write(&bytes, bytes.count)
      let made = try MemoryFile.makeSealed(name: "darkroom-init", bytes: Array(bytes[..<size])).release()
      file = made
      return made
    }
  }
}
