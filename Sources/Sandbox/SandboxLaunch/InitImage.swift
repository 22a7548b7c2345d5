// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives
internal import Synchronization

/// The program of a session init, in a sealed memory file.
final class InitImage: Sendable {
  /// The program of PID 1 in a PID namespace.
  static let namespaced = InitImage { darkroom_init_image($0, $1) }
  /// The init program of a session without a PID namespace.
  static let restricted = InitImage { darkroom_restricted_image($0, $1) }

  /// Writes the program into a buffer and returns its size.
  private let write: @Sendable (UnsafeMutablePointer<UInt8>, Int) -> Int
  /// The file, created at the first launch that needs it and shared by all sessions of the process.
  private let file = Mutex<Int32?>(nil)

  private init(write: @escaping @Sendable (UnsafeMutablePointer<UInt8>, Int) -> Int) { self.write = write }

  /// Returns the descriptor of the file, which stays open as long as the process lives.
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
