// SPDX-License-Identifier: Apache-2.0

/// Rights to files that Landlock can withhold (landlock(7), `LANDLOCK_ACCESS_FS_…`).
package struct LandlockRights: OptionSet, Sendable, Hashable {
  /// The kernel's bits.
  package let rawValue: UInt64
  /// Wraps the kernel's bits.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Run a file. ABI 1, Linux 5.13.
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
  /// Make a character device. ABI 1, Linux 5.13.
  package static let makeCharacterDevice = LandlockRights(rawValue: 1 << 6)
  /// Make a directory. ABI 1, Linux 5.13.
  package static let makeDirectory = LandlockRights(rawValue: 1 << 7)
  /// Make a regular file. ABI 1, Linux 5.13.
  package static let makeRegularFile = LandlockRights(rawValue: 1 << 8)
  /// Make a socket. ABI 1, Linux 5.13.
  package static let makeSocket = LandlockRights(rawValue: 1 << 9)
  /// Make a named pipe. ABI 1, Linux 5.13.
  package static let makeFIFO = LandlockRights(rawValue: 1 << 10)
  /// Make a block device. ABI 1, Linux 5.13.
  package static let makeBlockDevice = LandlockRights(rawValue: 1 << 11)
  /// Make a symbolic link. ABI 1, Linux 5.13.
  package static let makeSymbolicLink = LandlockRights(rawValue: 1 << 12)
  /// Link or rename from one directory to another. ABI 2, Linux 5.19.
  package static let refer = LandlockRights(rawValue: 1 << 13)
  /// Change a file's length. ABI 3, Linux 6.2.
  package static let truncate = LandlockRights(rawValue: 1 << 14)
  /// Send requests to a device. ABI 5, Linux 6.10.
  package static let deviceRequests = LandlockRights(rawValue: 1 << 15)
}

extension LandlockRights {
  /// Everything that a kernel with this ABI can withhold: a ruleset handles all of it.
  package static func all(abi: Int) -> LandlockRights {
    var rights: LandlockRights = []
    if abi >= 1 { rights.formUnion(LandlockRights(rawValue: (1 << 13) - 1)) }
    if abi >= 2 { rights.insert(.refer) }
    if abi >= 3 { rights.insert(.truncate) }
    if abi >= 5 { rights.insert(.deviceRequests) }
    return rights
  }

  /// For the paths of the policy and the extension's bundle: read, list and run.
  package static func readOnly(abi: Int) -> LandlockRights {
    all(abi: abi).intersection([.execute, .readFile, .readDirectory])
  }

  /// For the session directory: plain files and directories, made, read, written, moved and removed; none is run.
  package static func session(abi: Int) -> LandlockRights {
    all(abi: abi).intersection([
      .writeFile, .readFile, .readDirectory, .removeDirectory, .removeFile, .makeDirectory, .makeRegularFile,
      .refer, .truncate,
    ])
  }

  /// For the container: as ``session(abi:)``, and named pipes and symbolic links, which never leave it.
  package static func scratch(abi: Int) -> LandlockRights {
    session(abi: abi).union(all(abi: abi).intersection([.makeFIFO, .makeSymbolicLink]))
  }

  /// For a device: read, written and asked; which requests is for the filter to say.
  package static func device(abi: Int) -> LandlockRights {
    all(abi: abi).intersection([.readFile, .writeFile, .truncate, .deviceRequests])
  }
}
