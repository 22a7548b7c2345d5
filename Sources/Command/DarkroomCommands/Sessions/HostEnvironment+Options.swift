// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import LinuxPrimitives
internal import PhotoLibrary
internal import PolicyExplanation
internal import SessionServices
internal import SessionStore
internal import UserAuthentication

extension HostEnvironment {
  /// The options that configure the environment.
  static let options = [UserPrompt.descriptor, PhotoLibraryOptions.library]

  /// Creates the environment. `prompt` authenticates the user; if it is `nil`, the options select the prompt.
  init(
    _ root: StateRoot,
    _ parsed: ParsedCommand,
    _ console: Console,
    prompt: (any PasswordPrompt)? = nil
  ) {
    var library: LibraryLocation?
    do { library = try PhotoLibraryOptions.location(parsed, console) } catch {
      console.note("darkroom: this session has no photo library: \(error)")
    }
    self.init(
      root,
      prompt: prompt ?? UserPrompt(parsed, terminal: console.terminal, turn: console.turn ?? .own).prompt,
      library: library,
      errors: console.error,
      environment: console.environment
    )
  }
}

/// The devices that a command line names, and the prompt for them.
struct DeviceOptions {
  /// The option that answers the prompt for a resource with yes.
  static let allow = OptionSpec.value(
    "allow",
    "RESOURCE",
    .choice(PermissionSubject.allCases.filter(\.hasDevices).map(\.rawValue)),
    .repeated,
    help: "Allow this device for the session instead of prompting the user"
  )
  /// The timeout for an answer, in nanoseconds.
  private static let answerTimeout: UInt64 = 60_000_000_000

  /// The named devices.
  let devices: [DeviceAccessRequest.Device]
  private let parsed: ParsedCommand
  private let console: Console
  private let signals: HostSignals

  /// Reads the devices that a command line names.
  init(_ parsed: ParsedCommand, _ console: Console, _ signals: HostSignals) {
    (self.parsed, self.console, self.signals) = (parsed, console, signals)
    devices = [
      (.camera, parsed.value(of: CommonOptions.camera)), (.microphone, CommonOptions.microphone(parsed)),
    ].compactMap { (subject: PermissionSubject, text: String?) in text.map { .init(subject, $0) } }
  }

  /// Returns the completed request of a session for the devices: prompts where necessary, and prints the
  /// reason for each device that cannot be used. `name` is the name of the app or program in the prompt.
  ///
  /// - Throws: A `CommandFailure` if the user cancels or a signal is received.
  func request(
    _ app: AppStore,
    _ name: String,
    _ resolution: PermissionResolution
  ) throws(CommandFailure) -> PermissionResolution {
    let files = AdministrationFiles(environment: console.environment)
    var request = DeviceAccessRequest(app, devices, resolution, files)
    try request.ask { device throws(CommandFailure) in try answer(device, app, name) }
    printNotes(request)
    return request.completedResolution
  }

  /// Prints, for each named device that cannot be used, the reason.
  func printNotes(_ request: DeviceAccessRequest) {
    for note in request.notes { console.note("darkroom: \(note)") }
  }

  /// Prompts for a device. Returns `nil` without a terminal.
  ///
  /// - Throws: A `CommandFailure` if the user cancels or a signal is received.
  func answer(
    _ device: DeviceAccessRequest.Device,
    _ app: AppStore,
    _ name: String
  ) throws(CommandFailure) -> Bool? {
    let subject = device.subject.rawValue
    if parsed.values(of: Self.allow).contains(subject) { return true }
    let prompt = TerminalPrompt(console.terminal, turn: console.turn ?? .own)
    let question = PromptQuestion(
      "\(TextTable.printable(name)) (\(app.id)) requests the \(subject) \(TextTable.printable(device.text)) for this "
        + "session. Allow access? [y/N] ",
      .shown
    )
    let deadline = MonotonicClock.now + Self.answerTimeout
    switch prompt.ask(question, Timeout(stop: signals.descriptor.rawValue, deadline: deadline)) {
    case .secret(let typed):
      return typed.withBytes { ["y", "yes"].contains(String(decoding: $0, as: UTF8.self).lowercased()) }
    case .cancelled:
      throw CommandFailure(
        .cancelled,
        "cancelled while the user was prompted for the \(subject); nothing was launched"
      )
    case .timedOut: return false
    case .unavailable: return nil
    }
  }
}
