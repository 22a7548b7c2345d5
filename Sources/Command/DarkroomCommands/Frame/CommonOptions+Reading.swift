// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import LinuxPrimitives
internal import SessionStore

extension CommonOptions {
  /// The app that a command is about.
  static let appArgument = ArgumentSpec("APP", help: "The id of the app, such as org.example.camera")

  /// The state root of a command that only looks: it is not made, and may be on a file system mounted read-only.
  static func rootForReading(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> StateRoot
  {
    let place = try CommandFailure.store { () throws(StoreError) in
      try StateRoot.resolve(option: parsed.value(of: root), environment: console.environment)
    }
    do { try place.checkLayout() } catch .system(let error) where error.errno == .permissionDenied {
      let mend = "run as its owner, or give another place with --root DIR"
      throw CommandFailure(.store, "this user may not read \(place.path); \(mend)")
    } catch { throw CommandFailure(error) }
    return place
  }

  /// The app that the command is about; one that is not there among others is a mistake, in an empty root it is not.
  static func knownApp(_ parsed: ParsedCommand, _ root: StateRoot) throws(CommandFailure) -> AppStore {
    let app = try app(parsed.word(of: appArgument) ?? "", root)
    let ids = try CommandFailure.store { () throws(StoreError) in try root.appIDs() }
    guard ids.isEmpty || ids.contains(app.id) else {
      let question = NearestNames.question(for: app.id, among: ids)
      let mend = question.isEmpty ? "; 'darkroom list' shows what is installed" : question
      throw CommandFailure(.missing, "there is no app \"\(app.id)\" in \(root.path)\(mend)")
    }
    return app
  }
}
