// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Anonymous files in memory (memfd_create(2)).
package enum MemoryFile {
  /// The operations that a memory file no longer permits (fcntl(2), `F_ADD_SEALS`).
  package struct Seals: OptionSet, Sendable {
    /// The kernel's bits.
    package let rawValue: Int32
    /// Creates seals from the kernel's bits.
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Adding seals. The corresponding flag is `F_SEAL_SEAL`.
    package static let seal = Seals(rawValue: F_SEAL_SEAL)
    /// Shrinking the file. The corresponding flag is `F_SEAL_SHRINK`.
    package static let shrink = Seals(rawValue: F_SEAL_SHRINK)
    /// Growing the file. The corresponding flag is `F_SEAL_GROW`.
    package static let grow = Seals(rawValue: F_SEAL_GROW)
    /// Writing. The corresponding flag is `F_SEAL_WRITE`.
    package static let write = Seals(rawValue: F_SEAL_WRITE)
    /// Writing, except through existing writable mappings. The corresponding flag is `F_SEAL_FUTURE_WRITE`.
    package static let futureWrite = Seals(rawValue: F_SEAL_FUTURE_WRITE)
  }

  /// Creates a file of `size` zero bytes.
  package static func make(name: String, size: Int) throws(SystemCallError) -> Descriptor {
    let descriptor = Descriptor(
      owning: try check("memfd_create") { memfd_create(name, UInt32(MFD_CLOEXEC | MFD_ALLOW_SEALING)) }
    )
    let raw = descriptor.rawValue
    try check("ftruncate") { ftruncate(raw, size) }
    return descriptor
  }

  /// Creates a file of `size` zero bytes that another process may write to and no process can execute.
  ///
  /// The corresponding flag is `MFD_NOEXEC_SEAL` (Linux 6.3). On an older kernel the file only lacks the
  /// execute permission.
  package static func makeWritable(name: String, size: Int) throws(SystemCallError) -> Descriptor {
    let flags = UInt32(MFD_CLOEXEC | MFD_ALLOW_SEALING)
    let descriptor: Descriptor
    do {
      descriptor = Descriptor(
        owning: try check("memfd_create") { memfd_create(name, flags | noExecutionSeal) }
      )
    } catch  where error.errno == .invalidArgument {
      descriptor = Descriptor(owning: try check("memfd_create") { memfd_create(name, flags) })
      try descriptor.setPermissions(0o600)
    }
    let raw = descriptor.rawValue
    try check("ftruncate") { ftruncate(raw, size) }
    return descriptor
  }

  /// `MFD_NOEXEC_SEAL`, which older headers lack.
  private static let noExecutionSeal: UInt32 = 0x0008

  /// Creates a file that contains `bytes` and cannot be changed.
  package static func makeSealed(name: String, bytes: [UInt8]) throws(SystemCallError) -> Descriptor {
    let descriptor = try make(name: name, size: 0)
    try descriptor.writeAll(bytes)
    try seal(descriptor, [.seal, .shrink, .grow, .write])
    let raw = descriptor.rawValue
    try check("lseek") { lseek(raw, 0, SEEK_SET) }
    return descriptor
  }

  /// Adds seals.
  package static func seal(_ descriptor: borrowing Descriptor, _ seals: Seals) throws(SystemCallError) {
    let raw = descriptor.rawValue
    try check("fcntl") { darkroom_fcntl(raw, F_ADD_SEALS, Int(seals.rawValue)) }
  }

  /// Returns the seals of a memory file.
  package static func seals(_ descriptor: borrowing Descriptor) throws(SystemCallError) -> Seals {
    let raw = descriptor.rawValue
    return Seals(rawValue: try check("fcntl") { darkroom_fcntl(raw, F_GET_SEALS, 0) })
  }
}
