// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import PhotoLibrary
internal import SessionStore

/// The photo library of the user.
///
/// The functions act for the user: neither the lock nor the permissions of an app limit them.
public struct HostPhotos: Sendable {
  private let root: StateRoot
  private let launching: SessionLaunching

  /// Creates the photo library of a host's configuration.
  init(_ root: StateRoot, _ launching: SessionLaunching) { (self.root, self.launching) = (root, launching) }

  /// Returns the assets, newest first.
  ///
  /// - Parameters:
  ///   - app: The ID of the app that added the assets, or `nil` for all apps.
  ///   - session: The ID of the session that added the assets, or `nil` for all sessions and imports.
  ///
  /// - Returns: The assets. The list is empty if the library does not exist.
  ///
  /// - Throws: ``HostError/store(_:)`` if the library cannot be read.
  public func assets(addedBy app: String? = nil, in session: String? = nil) async throws(HostError) -> [Asset]
  {
    try await existing([]) { library throws(PhotoLibraryError) in
      try library.all().filter { (app ?? $0.app) == $0.app && (session == nil || session == $0.session) }
        .map { Asset($0, library) }
    }
  }

  /// Adds copies of files for an app. The files stay in place, and are not decoded.
  ///
  /// - Parameters:
  ///   - paths: The paths of the files.
  ///   - app: The ID of the app, which need not be installed.
  ///
  /// - Returns: The new assets, and the errors of the files that were not added.
  ///
  /// - Throws: ``HostError/store(_:)`` if the library cannot be opened.
  public func add(_ paths: [String], for app: String) async throws(HostError) -> Additions {
    let root = root
    return try await run { library throws(HostError) in
      do throws(StoreError) { _ = try root.app(app) } catch { throw HostError(error) }
      var (assets, failures): ([Asset], [Additions.Failure]) = ([], [])
      for path in paths {
        do throws(PhotoLibraryError) {
          assets.append(Asset(try library.add(copyOf: path, for: app), library))
        } catch { failures.append(.init(path: path, error: HostError(error))) }
      }
      return Additions(assets: assets, failures: failures)
    }
  }

  /// Copies the file of an asset into a directory, and returns the path of the copy. An existing file is
  /// never replaced.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the asset does not exist, or ``HostError/system(_:)`` if the
  ///   copy cannot be written.
  public func export(_ asset: String, to directory: String) async throws(HostError) -> String {
    try await named(asset) { (library, found) throws(HostError) in
      let path = "\(directory)/\(FileSystem.lastComponent(found.path))"
      let file: Descriptor
      do throws(PhotoLibraryError) { file = try library.open(found) } catch { throw HostError(error) }
      do throws(SystemCallError) { try PhotoLibrary.copy(file, to: path) } catch { throw HostError(error) }
      return path
    }
  }

  /// Deletes an asset and its file.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the asset does not exist.
  public func delete(_ asset: String) async throws(HostError) {
    try await named(asset) { (library, found) throws(HostError) in
      do throws(PhotoLibraryError) { try library.delete(found) } catch { throw HostError(error) }
    }
  }

  /// Replaces the assets that an app sees if its permission for photos is limited.
  ///
  /// - Throws: ``HostError/argument(_:)`` if an asset does not exist. Nothing was changed.
  public func select(_ assets: Set<String>, for app: String) async throws(HostError) {
    let root = root
    try await run { library throws(HostError) in
      do throws(StoreError) { _ = try root.app(app) } catch { throw HostError(error) }
      do throws(PhotoLibraryError) { try library.select(assets.sorted(), for: app, .replace) } catch {
        throw HostError(error)
      }
    }
  }

  /// Returns the IDs of the assets that an app sees if its permission for photos is limited, oldest first.
  public func selection(for app: String) async throws(HostError) -> [String] {
    try await existing([]) { library throws(PhotoLibraryError) in try library.selected(for: app) }
  }

  /// Compares the index of the library with its files. Nothing is changed.
  ///
  /// - Returns: The assets whose file is missing or was changed.
  public func verify() async throws(HostError) -> [Discrepancy] {
    try await existing([]) { library throws(PhotoLibraryError) in
      try library.verify().wrong.map { found in
        Discrepancy(asset: Asset(found.asset, library), isMissing: found.how == .missing)
      }
    }
  }

  /// Finishes or undoes changes of the library that a crash interrupted. Each other function does the same.
  ///
  /// - Returns: The number of changes that were finished or undone.
  @discardableResult
  public func recover() async throws(HostError) -> Int {
    try await existing(0) { library throws(PhotoLibraryError) in
      let work = library.recovered
      return work.finished.count + work.undone.count + work.removed.count + work.orphanedFiles
    }
  }
}

// MARK: - The library

extension HostPhotos {
  /// Returns the location of the library.
  private static func location(_ launching: SessionLaunching) throws(HostError) -> LibraryLocation {
    let location: LibraryLocation?
    do throws(PhotoLibraryError) { location = try launching.libraryLocation() } catch {
      throw HostError(error)
    }
    guard let location else {
      throw HostError(
        argument: "this host has no photo library; start it with HostConfiguration.photoLibrary or "
          + "--photo-library"
      )
    }
    return location
  }

  /// Performs an operation on the library, which is created if it does not exist.
  private func run<Value: Sendable>(
    _ body: @escaping @Sendable (PhotoLibrary) throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    let launching = launching
    return try await HostThread.run { () throws(HostError) in
      let location = try Self.location(launching)
      let library: PhotoLibrary
      do throws(PhotoLibraryError) { library = try PhotoLibrary(location) } catch { throw HostError(error) }
      return try body(library)
    }
  }

  /// Performs an operation on the library, or returns a value if the library does not exist.
  private func existing<Value: Sendable>(
    _ value: Value,
    _ body: @escaping @Sendable (PhotoLibrary) throws(PhotoLibraryError) -> Value
  ) async throws(HostError) -> Value {
    let launching = launching
    return try await HostThread.run { () throws(HostError) in
      let location = try Self.location(launching)
      guard location.exists else { return value }
      do throws(PhotoLibraryError) { return try body(try PhotoLibrary(location)) } catch {
        throw HostError(error)
      }
    }
  }

  /// Performs an operation on an existing asset.
  private func named<Value: Sendable>(
    _ asset: String,
    _ body: @escaping @Sendable (PhotoLibrary, PhotoLibraryAsset) throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    try await run { library throws(HostError) in
      let found: PhotoLibraryAsset
      do throws(PhotoLibraryError) { found = try library.asset(asset, for: .user) } catch {
        throw HostError(error)
      }
      return try body(library, found)
    }
  }
}
