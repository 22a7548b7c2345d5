// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A process that uses the library, represented by a file that is locked as long as the process lives.
///
/// Pending work names its owner, so that recovery can distinguish work in progress from work that a crash has
/// interrupted.
struct LibraryOwner: ~Copyable {
  /// The name of the owner.
  let name: String
  private let path: String
  private let lock: FileLock

  private init(name: String, path: String, lock: consuming FileLock) {
    self.name = name
    self.path = path
    self.lock = lock
  }

  /// Creates an owner with a new name.
  static func make(in place: LibraryLocation) throws(PhotoLibraryError) -> LibraryOwner {
    while true {
      let name = Randomness.hexadecimal(bytes: 12)
      let path = "\(place.ownersDirectory)/\(name)"
      let claimed = try librarySystem(place.path) { () throws(SystemCallError) in try FileLock.claim(path) }
      // `nil` means that a cleanup locked the new file first.
      if let claimed { return LibraryOwner(name: name, path: path, lock: claimed) }
    }
  }

  /// Removes the owner's file. If this fails, the file is that of a dead owner.
  consuming func release() { try? FileSystem.unlink(path) }

  /// Returns the dead owners: those with an unlocked file. Remove the files with ``remove(_:in:)``.
  static func abandoned(in place: LibraryLocation) throws(PhotoLibraryError) -> [String] {
    try librarySystem(place.path) { () throws(SystemCallError) in
      var gone: [String] = []
      for name in try FileSystem.names(in: place.ownersDirectory)
      where try FileLock.isHeld("\(place.ownersDirectory)/\(name)") == false {
        gone.append(name)
      }
      return gone
    }
  }

  /// Returns whether an owner is alive. An owner without a file is not.
  static func isAlive(_ name: String, in place: LibraryLocation) throws(PhotoLibraryError) -> Bool {
    try librarySystem(place.path) { () throws(SystemCallError) in
      try FileLock.isHeld("\(place.ownersDirectory)/\(name)") ?? false
    }
  }

  /// Removes the file of a dead owner.
  static func remove(_ name: String, in place: LibraryLocation) {
    let path = "\(place.ownersDirectory)/\(name)"
    // The file is locked first, because its creator may be about to lock it.
    guard let lock = try? FileLock.claim(path) else { return }
    try? FileSystem.unlink(path)
    _ = lock
  }
}
