// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CommandGrammar
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SessionStore

extension CommonOptions {
  /// The argument that names the app.
  static let appArgument = ArgumentSpec("APP", help: "The ID of the app, such as org.example.camera")

  /// Returns the state root for a command that only reads. The root is not created, and may be on a read-only
  /// file system.
  static func rootForReading(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> StateRoot
  {
    let place = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try StateRoot.resolve(option: parsed.value(of: root), environment: console.environment)
    }
    do { try place.checkLayout() } catch .system(let error) where error.errno == .permissionDenied {
      let fix = "run darkroom as the owner of the directory, or use another directory with --root DIR"
      throw CommandFailure(.store, "\(place.path): \(error.errno); \(fix)")
    } catch { throw CommandFailure(error) }
    return place
  }

  /// Returns the app that the command line names.
  ///
  /// - Throws: A `CommandFailure` if the root has other apps but not this one. An empty root accepts every
  ///   app.
  static func knownApp(_ parsed: ParsedCommand, _ root: StateRoot) throws(CommandFailure) -> AppStore {
    try knownApp(parsed.value(of: appArgument) ?? "", root)
  }

  /// Returns the app with an ID.
  ///
  /// - Throws: A `CommandFailure` if the root has other apps but not this one. An empty root accepts every
  ///   app.
  static func knownApp(_ id: String, _ root: StateRoot) throws(CommandFailure) -> AppStore {
    let app = try app(id, root)
    if let failure = try unknownAppFailure(app) { throw failure }
    return app
  }

  /// Returns the failure if the state root has other apps but not this one, or `nil` otherwise.
  private static func unknownAppFailure(_ app: AppStore) throws(CommandFailure) -> CommandFailure? {
    let ids = try CommandFailure.mappingStoreErrors { () throws(StoreError) in try app.root.appIDs() }
    guard !ids.isEmpty, !ids.contains(app.id) else { return nil }
    return CommandFailure(
      try CommandFailure.mappingCatalogErrors { () throws(CatalogError) in
        try app.root.catalog.notInstalled(app.id)
      }
    )
  }
}
