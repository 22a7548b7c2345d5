// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SessionStore

/// The installed apps of a host.
public struct HostedApps: Sendable {
  private let root: StateRoot

  /// Creates the apps of a state directory.
  init(_ root: StateRoot) { self.root = root }

  /// The result of an installation.
  public struct Installation: Sendable, Hashable {
    /// The app as installed.
    public let app: HostedApp
    /// The warnings about the bundle.
    public let warnings: [BundleDiagnostic]
    /// Whether an older copy was replaced.
    public let isReplacement: Bool
  }

  /// The installed apps, and the errors of those that cannot be read.
  public struct Listing: Sendable, Hashable {
    /// The apps, ordered by ID.
    public let apps: [HostedApp]
    /// The errors of damaged apps.
    public let failures: [HostError]
  }

  /// The treatment of content that an app has not taken when it is uninstalled.
  public enum PendingContent: Sendable, Hashable {
    /// The app stays installed: ``HostError/contentPending(_:)``.
    case keep
    /// The content is deleted.
    case discard
  }

  /// Installs the app in a bundle, or replaces its installed copy. The bundle is not needed afterwards.
  ///
  /// - Throws: ``HostError/bundle(_:_:)`` with all diagnostics if the bundle has errors.
  public func install(bundleAt path: String) async throws(HostError) -> Installation {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      let installed = try Self.catalog { () throws(CatalogError) in try root.catalog.install(path) }
      return Installation(
        app: try HostedApp(installed.app, root),
        warnings: installed.warnings.map(BundleDiagnostic.init),
        isReplacement: installed.origin == .replaced
      )
    }
  }

  /// Returns all problems of a bundle without installing it. The bundle can be installed if none is an error.
  public func validate(bundleAt path: String) async throws(HostError) -> [BundleDiagnostic] {
    try await HostThread.run { () throws(HostError) in
      PolicyFinder.validator.validate(path).diagnostics.map(BundleDiagnostic.init)
    }
  }

  /// Returns the installed apps. A damaged app does not hide the others.
  public func list() async throws(HostError) -> Listing {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      let listing = try Self.catalog { () throws(CatalogError) in try root.catalog.list() }
      var apps: [HostedApp] = []
      for app in listing.apps { apps.append(try HostedApp(app, root)) }
      return Listing(apps: apps, failures: listing.failures.map { HostError($0) })
    }
  }

  /// Returns an installed app.
  ///
  /// - Throws: ``HostError/notInstalled(_:_:)`` if no app with this ID is installed.
  public func find(_ id: String) async throws(HostError) -> HostedApp {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      let app = try Self.catalog { () throws(CatalogError) in
        guard let app = try root.catalog.app(id) else { throw try root.catalog.notInstalled(id) }
        return app
      }
      return try HostedApp(app, root)
    }
  }

  /// Returns the content of an app. The app need not be installed: sessions of other programs deliver content
  /// to any app.
  ///
  /// - Throws: ``HostError/notInstalled(_:_:)`` if the app is not installed and has no content.
  public func content(of id: String) async throws(HostError) -> AppContent {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      let app: AppStore
      do throws(StoreError) { app = try root.app(id) } catch { throw HostError(error) }
      let isKnown: Bool
      do throws(SystemCallError) {
        isKnown = try FileSystem.status(app.containerDirectory) != nil
      } catch { throw HostError(error) }
      guard isKnown else {
        return try Self.catalog { () throws(CatalogError) in throw try root.catalog.notInstalled(id) }
      }
      return AppContent(app)
    }
  }

  /// Removes an app with all its files, its permissions and its context.
  public func uninstall(_ id: String, pendingContent: PendingContent = .keep) async throws(HostError) {
    let root = root
    try await HostThread.run { () throws(HostError) in
      try Self.catalog { () throws(CatalogError) in
        try root.catalog.uninstall(id, content: pendingContent == .keep ? .refuse : .discard)
      }
    }
  }

  /// Returns the result of an operation of the catalog.
  private static func catalog<Value>(_ body: () throws(CatalogError) -> Value) throws(HostError) -> Value {
    do { return try body() } catch { throw HostError(error) }
  }
}
