// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import CommandGrammar
internal import LaunchPlanning
internal import Microphones
internal import PolicyExplanation
internal import SessionStore

/// The options that several commands share, and their values.
enum CommonOptions {
  /// The option for the state root.
  static let root = OptionSpec.value(
    "root",
    "DIR",
    .directory,
    help: "Keep all files below DIR (default: $DARKROOM_ROOT, or darkroom in the XDG state directory)"
  )
  /// The flag for JSON output.
  static let json = OptionSpec.flag("json", help: "Print results as JSON")
  /// The option for the maximum number of entries of a list, newest first.
  static let limit = OptionSpec.value(
    "limit",
    "N",
    .integer(1...1_000_000_000),
    help: "List only the newest N entries"
  )
  /// The option for the file to which the session record is written.
  static let record = OptionSpec.value(
    "record",
    "FILE",
    .file,
    help: "Write the session record to FILE as JSON"
  )
  /// The option for the source of frames.
  static let camera = OptionSpec.value(
    "camera",
    "SOURCE",
    help: "Take frames from SOURCE: a camera such as /dev/video0, an image, a video, or pattern"
  )

  /// The option for the source of sound.
  static let microphone = OptionSpec.value(
    "microphone",
    "SOURCE",
    help: "Record sound from SOURCE: a WAV file, tone, tone:48000x2, alsa:NAME, or none"
  )

  /// Returns the microphone source, or `nil` if there is none.
  static func microphone(_ parsed: ParsedCommand) -> String? {
    parsed.value(of: microphone).flatMap { MicrophoneSpecification($0) == .none ? nil : $0 }
  }

  /// Returns the state root of a command. The root is created if it does not exist.
  static func stateRoot(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> StateRoot {
    let root = try resolvedRoot(parsed, console)
    try CommandFailure.mappingStoreErrors { () throws(StoreError) in try root.prepare() }
    return root
  }

  /// Returns the state root of a command that runs sessions. The root is created if it does not exist.
  static func sessionRoot(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> StateRoot {
    try checkSystemCalls()
    return try stateRoot(parsed, console)
  }

  /// Throws if a system call that migration or erasure requires is refused, before anything is created.
  static func checkSystemCalls() throws(CommandFailure) {
    do throws(StoreError) { try StateRoot.checkSystemCalls() } catch {
      let failure = CommandFailure(error)
      throw CommandFailure(failure.code, "\(failure); nothing was launched")
    }
  }

  /// Returns the state root of a command, which need not exist.
  static func resolvedRoot(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> StateRoot {
    do {
      return try StateRoot.resolve(option: parsed.value(of: root), environment: console.environment)
    } catch { throw CommandFailure(.store, "\(error)") }
  }

  /// Returns the store of an app, which need not be installed.
  static func app(_ id: String, _ root: StateRoot) throws(CommandFailure) -> AppStore {
    if let problem = ReverseDNSName.problem(with: id) {
      throw CommandFailure(
        .usage,
        "'\(TextTable.printable(id))' is not an app ID: \(problem); use an ID such as org.example.camera"
      )
    }
    do { return try root.app(id) } catch { throw CommandFailure(.usage, "\(error)") }
  }
}
