// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The reason why an operation of the photo library failed.
package enum PhotoLibraryError: Error, Hashable, Sendable {
  /// The library location is unknown: there is no option, variable or home directory.
  case noLocation
  /// A directory of the library is not a directory, belongs to another user, or is writable by other users.
  case notPrivate(path: String, LocationFault)
  /// The index has a newer version than this version of Darkroom supports.
  case newerIndex(path: String, version: Int, known: Int)
  /// The file system of the library does not support an index that several processes share.
  case notWriteAhead(path: String, mode: String)
  /// The asset does not exist, or the reader may not see it.
  case noSuchAsset(String)
  /// The caller may see the asset but has not added it.
  case notOwn(String)
  /// The index contains the asset, but its file is missing.
  case fileMissing(asset: String, path: String)
  /// A file cannot become an asset.
  case unsuitableFile(path: String, FileFault)
  /// The file system lacks space.
  case noSpace(path: String)
  /// The index failed.
  case database(DatabaseError)
  /// A system call failed.
  case system(SystemCallError)
  /// A test simulated a crash at this step.
  case stopped(IngestStep)

  /// A problem of a directory of the library.
  package enum LocationFault: Hashable, Sendable {
    /// It is not a directory.
    case notADirectory
    /// It belongs to another user, with this UID.
    case foreignOwner(UInt32)
    /// Other users may write to it. The value is its mode.
    case writableByOthers(UInt32)
  }

  /// The reason why a file cannot become an asset.
  package enum FileFault: Hashable, Sendable {
    /// The file does not exist, or the path leads outside the directory or through a symbolic link.
    case unreachable(Errno)
    /// The file is not a regular file.
    case notRegular(FileStatus.Kind)
    /// The file has several hard links, or none.
    case links(UInt64)
    /// The file has a set-user-ID, set-group-ID or sticky bit.
    case specialBits
    /// The file is empty.
    case empty
    /// The file is larger than the limit.
    case tooLarge(bytes: Int64, limit: Int64)
    /// The file changed while it was copied.
    case changed
  }
}

extension PhotoLibraryError.LocationFault: CustomStringConvertible {
  /// A description of the problem, and the fix.
  package var description: String {
    switch self {
    case .notADirectory: "is not a directory; move it away"
    case .foreignOwner(let owner): "belongs to UID \(owner); run darkroom with this UID"
    case .writableByOthers(let mode):
      "is writable by other users (mode \(String(mode, radix: 8))); run chmod go-w on it"
    }
  }
}

extension PhotoLibraryError.FileFault: CustomStringConvertible {
  /// A description of the problem, and the fix.
  package var description: String {
    switch self {
    case .unreachable(let errno):
      "cannot be opened (\(errno)); use a path below the directory, without symbolic links"
    case .notRegular(let kind): "is a \(kind.rawValue); only regular files can be added"
    case .links(let count): "has \(count) hard links; only files with one link can be added"
    case .specialBits: "has set-user-ID, set-group-ID or sticky bits; clear them with chmod a-s,-t"
    case .empty: "is empty; add the file after it is written"
    case .tooLarge(let bytes, let limit):
      "has \(bytes) bytes, more than the limit of \(limit); add a smaller file"
    case .changed: "changed during the copy; close the file before adding it"
    }
  }
}

extension PhotoLibraryError: CustomStringConvertible {
  /// The error and its fix.
  package var description: String {
    switch self {
    case .noLocation:
      "the directory of the photo library is unknown; set HOME or DARKROOM_LIBRARY, or use --library DIR"
    case .notPrivate(let path, let fault):
      "\(path) \(fault), or use another directory with --library DIR"
    case .newerIndex(let path, let version, let known):
      "\(path) has version \(version), but this version of Darkroom supports at most \(known); "
        + "use the version of Darkroom that wrote it"
    case .notWriteAhead(let path, let mode):
      "\(path) cannot be shared by several processes (journal mode \(mode)), because its file system has no shared "
        + "memory; use a directory on a local disk with --library DIR"
    case .noSuchAsset(let id): "asset \(id) does not exist; 'darkroom photos list' lists the assets"
    case .notOwn(let id): "another app has added asset \(id); delete it with 'darkroom photos delete \(id)'"
    case .fileMissing(let asset, let path):
      "the file of asset \(asset) is missing: \(path); restore it, or delete the asset with "
        + "'darkroom photos delete \(asset)'"
    case .unsuitableFile(let path, let fault): "\(path) \(fault)"
    case .noSpace(let path):
      "the file system of \(path), or this user's quota on it, is full; free some space and try again"
    case .database(let error):
      switch error.kind {
      case .busy: "another process keeps the index locked (\(error)); try again"
      case .full: "the file system of the index is full (\(error)); free some space and try again"
      case .damaged:
        "the index is damaged (\(error)); move the index away and import the files again, which are unchanged"
      case .notWritable: "the index cannot be written (\(error)); change its permissions"
      case .constraint, .other: "the index failed: \(error)"
      }
    case .system(let error): "\(error)"
    case .stopped(let step): "stopped after the step \(step.rawValue)"
    }
  }
}

/// Runs `body` and converts its error into an error of the library. A full file system has a separate case.
func librarySystem<Result: ~Copyable>(
  _ place: String,
  _ body: () throws(SystemCallError) -> Result
) throws(PhotoLibraryError) -> Result {
  do { return try body() } catch {
    throw error.errno.isOutOfSpace ? .noSpace(path: place) : .system(error)
  }
}
