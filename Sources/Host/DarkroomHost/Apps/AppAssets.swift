// SPDX-License-Identifier: Apache-2.0

internal import SessionStore

/// The files that an app shares read-only with its extensions.
public struct AppAssets: Sendable {
  private let app: AppStore

  /// Creates the shared files of an app.
  init(_ app: AppStore) { self.app = app }

  /// A set of shared files.
  public struct AssetSet: Sendable, Hashable {
    /// The generation. A newer set has a higher number.
    public let generation: Int64
    /// The number of files.
    public let files: Int64
    /// The sum of the file sizes in bytes.
    public let bytes: Int64
    /// The time of the publication, in milliseconds since 1970.
    public let publishedAt: Int64
    /// Whether new sessions use the set.
    public let isCurrent: Bool
    /// Whether a session uses the set.
    public let isInUse: Bool

    /// Creates a description of a set.
    init(_ set: SharedAssetsSet) {
      (generation, files, bytes) = (set.generation, set.files, set.bytes)
      (publishedAt, isCurrent, isInUse) = (set.publishedAt, set.isCurrent, set.isInUse)
    }
  }

  /// Copies a directory, and shares the copy instead of the files that were shared before. New sessions see
  /// the files in `/assets`; running sessions keep the previous files.
  ///
  /// The directory must contain only regular files and directories, of at most 64 MiB and 1000 files.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the directory cannot be shared. Nothing was changed.
  @discardableResult
  public func publish(_ directory: String) async throws(HostError) -> AssetSet {
    let app = app
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) { return AssetSet(try SharedAssets(app).publish(directory)) } catch {
        throw HostError(error)
      }
    }
  }

  /// Returns the sets, newest first. An older set exists while a session uses it.
  public func list() async throws(HostError) -> [AssetSet] {
    let app = app
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) { return try SharedAssets(app).list().map { AssetSet($0) } } catch {
        throw HostError(error)
      }
    }
  }

  /// Stops sharing files. Running sessions keep the files.
  ///
  /// - Returns: Whether files were shared before.
  @discardableResult
  public func clear() async throws(HostError) -> Bool {
    let app = app
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) { return try SharedAssets(app).clear() } catch { throw HostError(error) }
    }
  }
}
