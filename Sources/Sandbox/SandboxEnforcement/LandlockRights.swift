// SPDX-License-Identifier: Apache-2.0

/// File system access rights that Landlock can deny (landlock(7), `LANDLOCK_ACCESS_FS_…`).
package struct LandlockRights: OptionSet, Sendable, Hashable {
  /// The kernel's bits.
  package let rawValue: UInt64
  /// Creates rights from the kernel's bits.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Execute a file. ABI 1, Linux 5.13.
  package static let execute = LandlockRights(rawValue: 1 << 0)
  /// Open a file for writing. ABI 1, Linux 5.13.
  package static let writeFile = LandlockRights(rawValue: 1 << 1)
  /// Open a file for reading. ABI 1, Linux 5.13.
  package static let readFile = LandlockRights(rawValue: 1 << 2)
  /// Open or list a directory. ABI 1, Linux 5.13.
  package static let readDirectory = LandlockRights(rawValue: 1 << 3)
  /// Remove an empty directory. ABI 1, Linux 5.13.
  package static let removeDirectory = LandlockRights(rawValue: 1 << 4)
  /// Remove a file. ABI 1, Linux 5.13.
  package static let removeFile = LandlockRights(rawValue: 1 << 5)
  /// Create a character device. ABI 1, Linux 5.13.
  package static let makeCharacterDevice = LandlockRights(rawValue: 1 << 6)
  /// Create a directory. ABI 1, Linux 5.13.
  package static let makeDirectory = LandlockRights(rawValue: 1 << 7)
  /// Create a regular file. ABI 1, Linux 5.13.
  package static let makeRegularFile = LandlockRights(rawValue: 1 << 8)
  /// Create a socket. ABI 1, Linux 5.13.
  package static let makeSocket = LandlockRights(rawValue: 1 << 9)
  /// Create a named pipe. ABI 1, Linux 5.13.
  package static let makeFIFO = LandlockRights(rawValue: 1 << 10)
  /// Create a block device. ABI 1, Linux 5.13.
  package static let makeBlockDevice = LandlockRights(rawValue: 1 << 11)
  /// Create a symbolic link. ABI 1, Linux 5.13.
  package static let makeSymbolicLink = LandlockRights(rawValue: 1 << 12)
  /// Link or rename a file from one directory to another. ABI 2, Linux 5.19.
  package static let refer = LandlockRights(rawValue: 1 << 13)
  /// Change a file's length. ABI 3, Linux 6.2.
  package static let truncate = LandlockRights(rawValue: 1 << 14)
  /// Call ioctl(2) on a device. ABI 5, Linux 6.10.
  package static let deviceRequests = LandlockRights(rawValue: 1 << 15)
}

extension LandlockRights {
  /// The rights that the kernel accepts in a rule for a file that is not a directory.
  package static let ofFiles: LandlockRights = [.execute, .writeFile, .readFile, .truncate, .deviceRequests]

  /// Returns all rights that a kernel with this ABI can deny. A ruleset handles all of them.
  package static func all(abi: Int) -> LandlockRights {
    var rights: LandlockRights = []
    if abi >= 1 { rights.formUnion(LandlockRights(rawValue: (1 << 13) - 1)) }
    if abi >= 2 { rights.insert(.refer) }
    if abi >= 3 { rights.insert(.truncate) }
    if abi >= 5 { rights.insert(.deviceRequests) }
    return rights
  }

  /// Returns the rights for the paths of the policy and the extension's bundle: read, list and execute.
  package static func readOnly(abi: Int) -> LandlockRights {
    all(abi: abi).intersection([.execute, .readFile, .readDirectory])
  }

  /// Returns the rights for the session directory: create, read, write, move and remove regular files and
  /// directories. No file can be executed.
  package static func session(abi: Int) -> LandlockRights {
    all(abi: abi).intersection([
      .writeFile, .readFile, .readDirectory, .removeDirectory, .removeFile, .makeDirectory, .makeRegularFile,
      .refer, .truncate,
    ])
  }

  /// Returns the rights for the container: those of ``session(abi:)``, and creating named pipes and symbolic
  /// links, which never leave the container.
  package static func scratch(abi: Int) -> LandlockRights {
    session(abi: abi).union(all(abi: abi).intersection([.makeFIFO, .makeSymbolicLink]))
  }

  /// Returns the rights for a device: read, write and ioctl(2). The seccomp filter restricts the ioctl
  /// requests.
  package static func device(abi: Int) -> LandlockRights {
    all(abi: abi).intersection([.readFile, .writeFile, .truncate, .deviceRequests])
  }
}
