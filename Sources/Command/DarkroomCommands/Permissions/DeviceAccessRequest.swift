// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionServices
internal import SessionStore
internal import UserAuthentication

/// A request for the camera and microphone that a command names. It applies the user's selection of devices,
/// and prompts if the permission is to ask each time.
///
/// The request is completed before anything is launched, and before terminal keys are the buttons of the
/// camera.
struct DeviceAccessRequest {
  /// The option that answers the prompt for a resource with yes.
  static let allow = OptionSpec.value(
    "allow",
    "RESOURCE",
    .choice(PermissionSubject.allCases.filter(\.hasDevices).map(\.rawValue)),
    .repeated,
    help: "Answer yes for a person who wants to be asked each time, who is not asked then"
  )
  /// The timeout for an answer, in nanoseconds.
  private static let answerTimeout: UInt64 = 60_000_000_000

  private let app: AppStore
  private let name: String
  private let parsed: ParsedCommand
  private let console: Console
  /// The devices that the command line names. It is empty unless the user has selected devices or wants to be
  /// prompted.
  private var namedDevices: [(subject: PermissionSubject, text: String)] = []
  private var resolution: PermissionResolution
  private let decided: Result<AppPermissions, StoreError>
  private let administration: Administration

  /// Resolves the devices that a command line names, if the user has selected some.
  ///
  /// `name` is the name of the app or program in the prompt. `resolution` determines the permissions of the
  /// session.
  init(
    _ app: AppStore,
    _ name: String,
    _ resolution: PermissionResolution,
    _ parsed: ParsedCommand,
    _ console: Console
  ) {
    (self.app, self.name, self.resolution) = (app, name, resolution)
    (self.parsed, self.console) = (parsed, console)
    let named = [
      (.camera, parsed.value(of: CommonOptions.camera)), (.microphone, CommonOptions.microphone(parsed)),
    ].compactMap { (subject: PermissionSubject, text: String?) in text.map { (subject: subject, text: $0) } }
    decided = Self.decided(app, for: named.map(\.subject))
    let needsDecision =
      (try? decided.get())?.settings.values.contains { [.limited, .ask].contains($0) } == true
    // The administrator's files are not read for launches that do not need them.
    administration =
      needsDecision ? AdministrationFiles(environment: console.environment).read() : Administration()
    guard needsDecision, case .success(let permissions) = decided else { return }
    for (subject, text) in named {
      namedDevices.append((subject, text))
      // A device that cannot be queried now is queried again when it is opened, which reports the error.
      guard permissions[subject] == .limited, !CaptureDevice.isSingleUse(text) else { continue }
      self.resolution.devices[subject] = try? CaptureDevice.resolvedName(text)
    }
  }

  /// Returns the user's decisions, or no decisions if the command line names no device.
  private static func decided(
    _ app: AppStore,
    for subjects: [PermissionSubject]
  ) -> Result<AppPermissions, StoreError> {
    if subjects.isEmpty { return .success(AppPermissions()) }
    do throws(StoreError) { return .success(try PermissionStore(app).read()) } catch {
      return .failure(error)
    }
  }

  /// The permission resolution, including the devices and answers that are known.
  var completedResolution: PermissionResolution { resolution }

  /// The resources for which the user has to be prompted. Resources that are denied for another reason are
  /// excluded.
  var unansweredSubjects: [PermissionSubject] {
    namedDevices.map(\.subject).filter { resolved($0).reason == .promptRequired }
  }

  /// The request as if the user had answered every prompt with yes.
  var assumingConsent: DeviceAccessRequest {
    var deviceRequest = self
    for subject in unansweredSubjects { deviceRequest.resolution.answers[subject] = true }
    return deviceRequest
  }

  private func resolved(_ subject: PermissionSubject) -> ResolvedPermission {
    resolution.resolve(decided, administration)[subject]
  }

  /// Prompts for every unanswered resource. Without a terminal, the prompts remain unanswered.
  ///
  /// - Throws: A `CommandFailure` if the user cancels or a signal is received.
  mutating func ask(_ signals: HostSignals) throws(CommandFailure) {
    for (subject, text) in namedDevices where resolved(subject).reason == .promptRequired {
      resolution.answers[subject] = try answer(subject, text, signals)
    }
  }

  private func answer(
    _ subject: PermissionSubject,
    _ text: String,
    _ signals: HostSignals
  ) throws(CommandFailure) -> Bool? {
    if parsed.values(of: Self.allow).contains(subject.rawValue) { return true }
    let prompt = TerminalPrompt(console.terminal, turn: console.turn ?? .own)
    let question = PromptQuestion(
      "\(TextTable.printable(name)) (\(app.id)) wants the \(subject.rawValue) \(TextTable.printable(text)) for this "
        + "session. Allow it? [y/N] ",
      .shown
    )
    let deadline = MonotonicClock.now + Self.answerTimeout
    switch prompt.ask(question, Timeout(stop: signals.descriptor.rawValue, deadline: deadline)) {
    case .secret(let typed):
      return typed.withBytes { ["y", "yes"].contains(String(decoding: $0, as: UTF8.self).lowercased()) }
    case .cancelled:
      throw CommandFailure(
        .cancelled,
        "cancelled while the user was prompted for the \(subject.rawValue); nothing was launched"
      )
    case .timedOut: return false
    case .unavailable: return nil
    }
  }

  /// Prints, for each named device that cannot be used, the reason.
  func printNotes() {
    for (subject, text) in namedDevices {
      guard let note = note(subject, TextTable.printable(text)) else { continue }
      console.note("darkroom: \(note)")
    }
  }

  private func note(_ subject: PermissionSubject, _ text: String) -> String? {
    let permission = resolved(subject)
    let what = subject.rawValue
    switch permission.reason {
    case .notSelected(let device):
      let name = device == text ? "" : ", whose name is \(ShellWord.quoted(TextTable.printable(device)))"
      return "\(app.id) may not use \(text)\(name): the person has selected other devices, which "
        + "'darkroom permission get \(app.id)' names; select it, too, with: darkroom permission set \(app.id) \(what) "
        + "limited --device \(ShellWord.quoted(text)), and --device for each other"
    case .promptRequired:
      return "the person wants to be asked each time before \(app.id) uses the \(what), and there is no "
        + "terminal to ask at: nothing is seen or heard; start it from one, or say --allow \(what)"
    case .prompted where !permission.isUsable:
      return "\(app.id) may not use the \(what) in this session: that was the answer"
    default: return nil
    }
  }

  /// Returns whether the printed notes explain why a permission cannot be used.
  static func explains(_ permission: ResolvedPermission) -> Bool {
    switch permission.reason {
    case .notSelected, .promptRequired, .prompted: true
    default: false
    }
  }
}
