// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import CaptureHost
internal import CommandGrammar
internal import LinuxPrimitives
internal import PersonAuthentication
internal import SessionStore

/// What a person's choice among devices, and the wish to be asked each time, come to for one session: found out before
/// anything is launched, and before keys of the terminal are the camera's.
struct DeviceWish {
  /// Answers for whoever wants to be asked each time.
  static let allow = OptionSpec.value(
    "allow",
    "RESOURCE",
    .choice(PermissionSubject.allCases.filter(\.hasDevices).map(\.rawValue)),
    .repeated,
    help: "Answer yes for a person who wants to be asked each time, where there is no terminal to ask at"
  )
  /// How long an answer is waited for, in nanoseconds.
  private static let patience: UInt64 = 60_000_000_000

  /// The devices by what they are called, where the person has selected some.
  private(set) var devices: [PermissionSubject: String] = [:]
  /// What the person has answered.
  private(set) var answers: [PermissionSubject: Bool] = [:]

  /// What it means for a session with such permissions.
  func complete(_ resolution: PermissionResolution) -> PermissionResolution {
    var resolution = resolution
    (resolution.devices, resolution.answers) = (devices, answers)
    return resolution
  }

  /// Looks at the devices that a command names, and asks the person where they want that. Nobody is asked for what could
  /// not be used all the same.
  init(
    _ app: AppStore,
    _ name: String,
    _ resolution: PermissionResolution,
    _ parsed: ParsedCommand,
    _ console: Console,
    _ signals: HostSignals
  ) throws(CommandFailure) {
    let typed: [(PermissionSubject, String?)] = [
      (.camera, parsed.value(of: CommonOptions.camera)), (.microphone, CommonOptions.microphone(parsed)),
    ]
    let decided: Result<AppPermissions, StoreError>
    do throws(StoreError) { decided = .success(try PermissionStore(app).read()) } catch {
      decided = .failure(error)
    }
    guard case .success(let permissions) = decided else { return }
    let administration = AdministrationFiles(environment: console.environment)
    for case (let subject, let text?) in typed {
      switch permissions[subject] {
      // What cannot be asked now is asked when it is opened, which says why it cannot.
      case .limited:
        devices[subject] = CaptureDevice.isOpenedOnce(text) ? nil : try? CaptureDevice.named(text)
      case .ask where resolution.resolve(decided, administration.read())[subject].ground == .unasked:
        answers[subject] = try Self.answer(subject, text, app, name, parsed, console, signals)
      default: continue
      }
      let result = complete(resolution).resolve(decided, administration.read())[subject]
      if let note = Self.note(subject, result, text, app) { console.note("darkroom: \(note)") }
    }
  }

  /// Asks; nil: there is nobody to ask.
  private static func answer(
    _ subject: PermissionSubject,
    _ text: String,
    _ app: AppStore,
    _ name: String,
    _ parsed: ParsedCommand,
    _ console: Console,
    _ signals: HostSignals
  ) throws(CommandFailure) -> Bool? {
    if parsed.values(of: allow).contains(subject.rawValue) { return true }
    let prompt = TerminalPrompt(console.terminal, turn: console.turn ?? .own)
    let question = PromptQuestion(
      "\(name) (\(app.id)) wants the \(subject.rawValue) \(TextTable.printable(text)) for this session. "
        + "Allow it? [y/N] ",
      .shown
    )
    let deadline = MonotonicClock.now + patience
    switch prompt.ask(question, Patience(stop: signals.descriptor.rawValue, deadline: deadline)) {
    case .secret(let typed):
      return typed.withBytes { ["y", "yes"].contains(String(decoding: $0, as: UTF8.self).lowercased()) }
    case .cancelled:
      throw CommandFailure(
        .cancelled,
        "broken off while the person was asked for the \(subject.rawValue); nothing was launched"
      )
    case .timedOut: return false
    case .unavailable: return nil
    }
  }

  /// Whether it was said already why something cannot be used.
  static func says(_ permission: ResolvedPermission) -> Bool {
    switch permission.ground {
    case .notSelected, .unasked, .answer: true
    default: false
    }
  }

  /// Why a device cannot be used although somebody has typed it; nil: it can, or somebody else says so.
  private static func note(
    _ subject: PermissionSubject,
    _ permission: ResolvedPermission,
    _ text: String,
    _ app: AppStore
  ) -> String? {
    let (what, text) = (subject.rawValue, TextTable.printable(text))
    switch permission.ground {
    case .notSelected(let device):
      return
        "\(app.id) may not use \(text): a person has selected other devices; 'darkroom permission get \(app.id)' "
        + "names them. This one is \(ShellWord.quoted(TextTable.printable(device)))"
    case .unasked:
      return
        "the person wants to be asked each time before \(app.id) uses the \(what), and there is no terminal to ask "
        + "at: nothing is seen or heard; start it from one, or say --allow \(what)"
    case .answer where !permission.isUsable:
      return "\(app.id) may not use the \(what) in this session: that was the answer"
    default: return nil
    }
  }
}
