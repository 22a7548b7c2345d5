// SPDX-License-Identifier: Apache-2.0

package import AppBundles
internal import LaunchPlanning
package import LinuxPrimitives
package import SessionStore

/// The state root of a single command, with one installed app. It is removed with its owner, unless the user
/// keeps it.
package final class TemporaryStateRoot {
  package let root: StateRoot
  /// The directory that is removed on deinitialization, or `nil` if the state root is kept.
  private let scratch: String?

  /// Creates a state root and installs the app in it.
  ///
  /// - Parameters:
  ///   - bundle: The path of the app's bundle.
  ///   - kept: The path of a new directory in which the state root is kept, or `nil` to remove it at the end.
  ///   - environment: A closure that returns the value of an environment variable of the user.
  /// - Throws: A `TemporaryStateRootError` if the app was not installed.
  package init(
    installing bundle: String,
    keptIn kept: String?,
    environment: (String) -> String?
  ) throws(TemporaryStateRootError) {
    if let kept {
      scratch = nil
      root = StateRoot(path: try Self.makeDirectory(kept))
    } else {
      let place = environment("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
      let made = try Self.makeDirectory("\(place)/darkroom-workshop-\(Randomness.hexadecimal(bytes: 8))")
      scratch = made
      root = StateRoot(path: "\(made)/state")
    }
    do { try root.prepare() } catch { throw .store(error) }
    do { _ = try root.catalog.install(bundle) } catch { throw .catalog(error) }
  }

  deinit { if let scratch { try? FileSystem.removeTree(scratch) } }

  /// Creates a directory that did not exist, and returns its absolute path.
  private static func makeDirectory(_ path: String) throws(TemporaryStateRootError) -> String {
    do {
      try FileSystem.makeDirectory(path)
      return try FileSystem.realPath(path)
    } catch  where error.errno == .fileExists {
      throw .exists(path)
    } catch { throw .notCreated(error) }
  }
}

/// An error while a temporary state root was created.
package enum TemporaryStateRootError: Error, CustomStringConvertible {
  /// The directory exists.
  case exists(String)
  /// The directory cannot be created.
  case notCreated(SystemCallError)
  /// The state root cannot be created.
  case store(StoreError)
  /// The app cannot be installed.
  case catalog(CatalogError)

  /// The error message.
  package var description: String {
    switch self {
    case .exists(let path): "\(path): \(Errno.fileExists); choose another directory"
    case .notCreated(let error): "the state root cannot be created: \(error)"
    case .store(let error): "\(error)"
    case .catalog(let error): "\(error)"
    }
  }
}
