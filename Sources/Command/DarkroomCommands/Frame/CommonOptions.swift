// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import CommandGrammar
internal import LaunchPlanning
internal import Microphones
internal import PolicyWords
internal import SessionStore

/// The options that several commands have, and what they stand for.
enum CommonOptions {
  /// Where everything is kept.
  static let root = OptionSpec.value(
    "root",
    "DIR",
    .directory,
    help: "Keep everything below DIR; also DARKROOM_ROOT; else darkroom in the XDG state directory"
  )
  /// Results for programs.
  static let json = OptionSpec.flag("json", help: "Print results as JSON")
  /// Which of a list that begins with the newest.
  static let newest = OptionSpec.value(
    "limit",
    "N",
    .integer(1...1_000_000_000),
    help: "Only the newest N of them"
  )
  /// Where the record of a session is written.
  static let record = OptionSpec.value(
    "record",
    "FILE",
    .file,
    help: "Write the session's record to FILE, as JSON"
  )
  /// Where frames come from.
  static let camera = OptionSpec.value(
    "camera",
    "SOURCE",
    help:
      "Frames: a camera, such as /dev/video0, /dev/video0:1280x720@30, pipewire or pipewire:NODE ('darkroom camera "
      + "list'), a JPEG or PNG picture, a YUV4MPEG2 file or pipe, - for standard input, pattern, or pattern:640x480@30"
  )

  /// Where sound comes from.
  static let microphone = OptionSpec.value(
    "microphone",
    "SOURCE",
    help:
      "Sound: a WAV file, tone, tone:48000x2, a device as alsa:NAME ('darkroom microphone list'), or none"
  )

  /// What was typed for a microphone; nil: there is to be none.
  static func microphone(_ parsed: ParsedCommand) -> String? {
    parsed.value(of: microphone).flatMap { MicrophoneSpecification($0) == .none ? nil : $0 }
  }

  /// The state root of a command, ready for use.
  static func stateRoot(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> StateRoot {
    let root = try resolvedRoot(parsed, console)
    try CommandFailure.store { () throws(StoreError) in try root.prepare() }
    return root
  }

  /// The state root of a command that runs sessions, ready for use.
  static func sessionRoot(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> StateRoot {
    try checkCalls()
    return try stateRoot(parsed, console)
  }

  /// Throws where no session could be finished, before anything is created for one.
  static func checkCalls() throws(CommandFailure) {
    do throws(StoreError) { try StateRoot.checkCalls() } catch {
      let failure = CommandFailure(error)
      throw CommandFailure(failure.code, "\(failure); nothing was launched")
    }
  }

  /// The place of the state root of a command, which need not be there.
  static func resolvedRoot(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> StateRoot {
    do {
      return try StateRoot.resolve(option: parsed.value(of: root), environment: console.environment)
    } catch { throw CommandFailure(.store, "\(error)") }
  }

  /// The installed apps below a state root.
  static func catalog(_ root: StateRoot) -> AppCatalog {
    AppCatalog(
      appsDirectory: root.appsDirectory,
      groupsDirectory: root.groupsDirectory,
      validator: PolicyFinder.validator
    )
  }

  /// The place of an app, which need not be installed.
  static func app(_ id: String, _ root: StateRoot) throws(CommandFailure) -> AppStore {
    if let problem = ReverseDNSName.problem(with: id) {
      throw CommandFailure(
        .usage,
        "\"\(TextTable.printable(id))\" is no id of an app: \(problem); write it like org.example.camera"
      )
    }
    do { return try root.app(id) } catch { throw CommandFailure(.usage, "\(error)") }
  }
}
