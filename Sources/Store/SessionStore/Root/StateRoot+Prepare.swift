// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension StateRoot {
  /// Creates the root and its directories if necessary. Throws if one is not trustworthy or not writable.
  package func prepare() throws(StoreError) {
    let parent = FileSystem.directoryName(path)
    do { try FileSystem.prepareDirectories(parent) } catch { throw Self.fault(error, parent) }
    for directory in [path, appsDirectory, groupsDirectory, sessionsDirectory, trashDirectory] {
      try Self.prepareDirectory(directory)
    }
    try prepareVersion()
  }

  /// Creates the directory for policy learning and returns its path.
  package func prepareLearning() throws(StoreError) -> String {
    try Self.prepareDirectory(learningDirectory)
    return learningDirectory
  }

  /// Creates a private directory, or checks that an existing one is private.
  ///
  /// - Returns: The device number of its file system.
  @discardableResult
  static func prepareDirectory(_ path: String) throws(StoreError) -> UInt64 {
    let status: FileStatus
    do { status = try openOrCreate(path).status() } catch { throw fault(error, path) }
    let user = CurrentProcess.effectiveUserID
    guard status.owner == user else { throw .foreignOwner(path: path, owner: status.owner, user: user) }
    guard status.permissions & 0o022 == 0 else {
      throw .writableByOthers(path: path, permissions: status.permissions)
    }
    return status.device
  }

  private static func openOrCreate(_ path: String) throws(SystemCallError) -> Descriptor {
    do {
      return try FileSystem.open(path, [.directory])
    } catch  where error.errno == .noSuchFile {
      do {
        try FileSystem.makeDirectory(path)
        // Files in the directory are only as durable as its name.
        try FileSystem.synchronizeDirectory(FileSystem.directoryName(path))
      } catch  where error.errno == .fileExists {
        // Another process created the directory.
      }
      return try FileSystem.open(path, [.directory])
    }
  }

  private static func fault(_ error: SystemCallError, _ path: String) -> StoreError {
    // Otherwise EPERM would be attributed to the file.
    if let refusal = CallRefusal.current { return .refused(refusal) }
    return switch error.errno {
    case .readOnlyFileSystem: .readOnlyFileSystem(path: path)
    case .notADirectory: .notADirectory(path: path)
    case .permissionDenied, .notPermitted: .notPermitted(path: path)
    case .noSpace, .overQuota: .noSpace(path: path)
    case .noSuchFile, .nameTooLong, .tooManyLinks: .invalidPath(error)
    default: .system(error)
    }
  }

  /// Checks the layout version, or writes it, which also shows that the root is writable.
  private func prepareVersion() throws(StoreError) {
    let found: [UInt8]?
    do {
      found = try FileSystem.contents(versionFile, limit: 64)
    } catch  where error.errno == .noSuchFile {
      do { try FileSystem.replaceContents(versionFile, with: Array("\(Self.layoutVersion)\n".utf8)) } catch {
        throw Self.fault(error, versionFile)
      }
      return
    } catch { throw Self.fault(error, versionFile) }
    let text = String(decoding: found ?? [], as: UTF8.self)
    guard text == "\(Self.layoutVersion)\n" else {
      throw .unknownLayout(path: versionFile, found: text, known: Self.layoutVersion)
    }
    do { try FileSystem.checkWritable(path) } catch { throw Self.fault(error, path) }
  }
}

extension StateRoot {
  /// Throws if the environment of this process, such as a seccomp filter, refuses system calls that migration
  /// or erasure needs.
  ///
  /// Call this before a capture can occur, and before recovery. Otherwise a call refused with `EPERM` looks
  /// like a file that cannot be sanitized.
  package static func checkSystemCalls() throws(StoreError) {
    if let refusal = CallRefusal.current { throw .refused(refusal) }
  }
}

extension StateRoot {
  /// Throws if the layout version of an existing root is unknown. Nothing is changed, and a missing root is
  /// accepted.
  ///
  /// Read-only commands use this instead of ``prepare()``, which needs a writable file system.
  package func checkLayout() throws(StoreError) {
    let found: [UInt8]?
    do {
      found = try FileSystem.contents(versionFile, limit: 64)
    } catch  where error.errno == .noSuchFile {
      return
    } catch  where error.errno == .notADirectory {
      throw .notADirectory(path: path)
    } catch { throw .system(error) }
    let text = String(decoding: found ?? [], as: UTF8.self)
    guard text == "\(Self.layoutVersion)\n" else {
      throw .unknownLayout(path: versionFile, found: text, known: Self.layoutVersion)
    }
  }
}
