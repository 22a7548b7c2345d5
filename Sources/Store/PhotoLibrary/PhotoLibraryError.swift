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
    case .notADirectory: "is no directory; move it away"
    case .foreignOwner(let owner): "belongs to user \(owner); run as its owner"
    case .writableByOthers(let mode):
      "can be written by others (mode \(String(mode, radix: 8))); run chmod go-w on it"
    }
  }
}

extension PhotoLibraryError.FileFault: CustomStringConvertible {
  /// A description of the problem, and the fix.
  package var description: String {
    switch self {
    case .unreachable(let errno):
      "cannot be opened (\(errno)); name a file below the directory by a path without links"
    case .notRegular(let kind): "is a \(kind.rawValue); only regular files can be added"
    case .links(let count): "has \(count) names; only files with one name can be added"
    case .specialBits: "has special permission bits; clear them with chmod a-s,-t"
    case .empty: "is empty; add it when it has been written"
    case .tooLarge(let bytes, let limit):
      "has \(bytes) bytes, and \(limit) are left for it; add a smaller one"
    case .changed: "changed while it was copied; close it before it is added"
    }
  }
}

extension PhotoLibraryError: CustomStringConvertible {
  /// The error and its fix.
  package var description: String {
    switch self {
    case .noLocation:
      "there is no place for the photo library: set HOME or DARKROOM_LIBRARY, or give --library DIR"
    case .notPrivate(let path, let fault):
      "\(path) \(fault), or give another place with --library DIR"
    case .newerIndex(let path, let version, let known):
      "\(path) has version \(version), and this Darkroom knows up to \(known); use the version that wrote it"
    case .notWriteAhead(let path, let mode):
      "\(path) cannot be shared by several processes (journal mode \(mode)): its file system has no shared memory; "
        + "give a place on a local disk with --library DIR"
    case .noSuchAsset(let id): "there is no asset \(id); 'darkroom photos list' lists the assets"
    case .notOwn(let id): "another app has added asset \(id); delete it with: darkroom photos delete \(id)"
    case .fileMissing(let asset, let path):
      "the file of asset \(asset) is gone: \(path); put it back, or forget it with: darkroom photos delete \(asset)"
    case .unsuitableFile(let path, let fault): "\(path) \(fault)"
    case .noSpace(let path):
      "the file system of \(path) is full, or what this user may take of it; free some space and try again"
    case .database(let error):
      switch error.kind {
      case .busy: "the index is kept busy by another process (\(error)); try again"
      case .full: "the file system of the index is full (\(error)); free some space and try again"
      case .damaged:
        "the index is damaged (\(error)); move it away and import the pictures again, which are not touched"
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
