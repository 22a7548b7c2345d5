// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Somebody who uses the library: a file whose lock is held as long as they live.
///
/// What is unfinished names its owner, so that recovery can tell what is being done from what a crash has interrupted.
struct LibraryOwner: ~Copyable {
  /// The name.
  let name: String
  private let path: String
  private let lock: FileLock

  private init(name: String, path: String, lock: consuming FileLock) {
    self.name = name
    self.path = path
    self.lock = lock
  }

  /// A new one.
  static func make(in place: LibraryPlace) throws(PhotoLibraryError) -> LibraryOwner {
    while true {
      let name = Randomness.hexadecimal(bytes: 12)
      let path = "\(place.ownersDirectory)/\(name)"
      let claimed = try librarySystem(place.path) { () throws(SystemCallError) in try FileLock.claim(path) }
      // Nil: whoever tidies up was faster between the making and the locking of the file.
      if let claimed { return LibraryOwner(name: name, path: path, lock: claimed) }
    }
  }

  /// Ends in order. A file that stays behind by a failure is an owner that is gone.
  consuming func leave() { try? FileSystem.unlink(path) }

  /// The owners that are gone: nobody holds their lock. Their files are removed with ``remove(_:in:)``.
  static func gone(in place: LibraryPlace) throws(PhotoLibraryError) -> [String] {
    try librarySystem(place.path) { () throws(SystemCallError) in
      var gone: [String] = []
      for name in try FileSystem.names(in: place.ownersDirectory)
      where try FileLock.isHeld("\(place.ownersDirectory)/\(name)") == false {
        gone.append(name)
      }
      return gone
    }
  }

  /// Whether an owner is at work; one without a file is not.
  static func isAlive(_ name: String, in place: LibraryPlace) throws(PhotoLibraryError) -> Bool {
    try librarySystem(place.path) { () throws(SystemCallError) in
      try FileLock.isHeld("\(place.ownersDirectory)/\(name)") ?? false
    }
  }

  /// Removes the file of an owner that is gone.
  static func remove(_ name: String, in place: LibraryPlace) {
    let path = "\(place.ownersDirectory)/\(name)"
    // Claimed first: its maker may only just be about to lock it.
    guard let lock = try? FileLock.claim(path) else { return }
    try? FileSystem.unlink(path)
    _ = lock
  }
}
