// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A file that is only memory (memfd_create(2)).
package enum MemoryFile {
  /// What may no longer be done to a memory file (fcntl(2), `F_ADD_SEALS`).
  package struct Seals: OptionSet, Sendable {
    /// The kernel's bits.
    package let rawValue: Int32
    /// Wraps the kernel's bits.
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// No more seals. The corresponding flag is `F_SEAL_SEAL`.
    package static let seal = Seals(rawValue: F_SEAL_SEAL)
    /// It cannot be made shorter. The corresponding flag is `F_SEAL_SHRINK`.
    package static let shrink = Seals(rawValue: F_SEAL_SHRINK)
    /// It cannot be made longer. The corresponding flag is `F_SEAL_GROW`.
    package static let grow = Seals(rawValue: F_SEAL_GROW)
    /// Nobody can write. The corresponding flag is `F_SEAL_WRITE`.
    package static let write = Seals(rawValue: F_SEAL_WRITE)
    /// Only mappings that are writable already can be written. The corresponding flag is `F_SEAL_FUTURE_WRITE`.
    package static let futureWrite = Seals(rawValue: F_SEAL_FUTURE_WRITE)
  }

  /// Makes a file of `size` bytes, all zero.
  package static func make(name: String, size: Int) throws(SystemCallError) -> Descriptor {
    let descriptor = Descriptor(
      owning: try check("memfd_create") { memfd_create(name, UInt32(MFD_CLOEXEC | MFD_ALLOW_SEALING)) }
    )
    let raw = descriptor.rawValue
    try check("ftruncate") { ftruncate(raw, size) }
    return descriptor
  }

  /// Makes a file of `size` bytes that somebody else may write, and nobody can run.
  ///
  /// The corresponding flag is `MFD_NOEXEC_SEAL`, of Linux 6.3; a kernel without it gets a file without the permission.
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

  /// Makes a file that holds `bytes` and that nobody can change any more.
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

  /// The seals that a memory file has.
  package static func seals(_ descriptor: borrowing Descriptor) throws(SystemCallError) -> Seals {
    let raw = descriptor.rawValue
    return Seals(rawValue: try check("fcntl") { darkroom_fcntl(raw, F_GET_SEALS, 0) })
  }
}
