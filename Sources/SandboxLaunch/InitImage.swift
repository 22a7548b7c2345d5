// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives
internal import Synchronization

/// The program that is pid 1 of every session, in a memory file that nobody can change.
enum InitImage {
  /// The file, made at the first launch; one serves all sessions of the process.
  private static let file = Mutex<Int32?>(nil)

  /// A descriptor of the file. It stays open as long as the process lives.
  static func descriptor() throws(SystemCallError) -> Int32 {
    try file.withLock { (file) throws(SystemCallError) in
      if let descriptor = file { return descriptor }
      var bytes = [UInt8](repeating: 0, count: 8192)
      let size = darkroom_init_image(&bytes, bytes.count)
      let made = try MemoryFile.makeSealed(name: "darkroom-init", bytes: Array(bytes[..<size])).release()
      file = made
      return made
    }
  }
}
