// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import LinuxPrimitives
internal import SessionStore

extension CommonOptions {
  /// The argument that names the app.
  static let appArgument = ArgumentSpec("APP", help: "The id of the app, such as org.example.camera")

  /// Returns the state root for a command that only reads. The root is not created, and may be on a read-only
  /// file system.
  static func rootForReading(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> StateRoot
  {
    let place = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try StateRoot.resolve(option: parsed.value(of: root), environment: console.environment)
    }
    do { try place.checkLayout() } catch .system(let error) where error.errno == .permissionDenied {
      let fix = "run as its owner, or give another place with --root DIR"
      throw CommandFailure(.store, "this user may not read \(place.path); \(fix)")
    } catch { throw CommandFailure(error) }
    return place
  }

  /// Returns the app that the command line names.
  ///
  /// - Throws: A `CommandFailure` if the root has other apps but not this one. An empty root accepts every
  ///   app.
  static func knownApp(_ parsed: ParsedCommand, _ root: StateRoot) throws(CommandFailure) -> AppStore {
    let app = try app(parsed.value(of: appArgument) ?? "", root)
    let ids = try CommandFailure.mappingStoreErrors { () throws(StoreError) in try root.appIDs() }
    guard ids.isEmpty || ids.contains(app.id) else {
      let question = NearestNames.suggestionSuffix(for: app.id, among: ids)
      let fix = question.isEmpty ? "; 'darkroom list' shows what is installed" : question
      throw CommandFailure(.missing, "there is no app \"\(app.id)\" in \(root.path)\(fix)")
    }
    return app
  }
}
