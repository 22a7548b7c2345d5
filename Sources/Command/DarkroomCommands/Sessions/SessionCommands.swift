// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import CaptureHost
internal import CommandGrammar
internal import ExtensionProtocol
internal import HostService
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyLearning
internal import PolicyWords
internal import Refusals
internal import SessionServices
internal import SessionStore

/// What `exec`, `run` and `demo` have in common: running a session, and telling how it went.
enum SessionCommands {
  /// The host's signals; call it first.
  static func hostSignals(_ console: Console) throws(CommandFailure) -> HostSignals {
    do {
      // A server has its own for itself; a client passes on what it is sent.
      guard case .server(let command, _) = console.process else { return try HostSignals() }
      return HostSignals(relayedBy: try command.signals())
    } catch { throw CommandFailure(.machine, "\(error)") }
  }

  /// A policy by name or path.
  static func policy(_ nameOrPath: String) throws(CommandFailure) -> FoundPolicy {
    do { return try PolicyFinder.find(nameOrPath) } catch { throw failure(error) }
  }

  /// Why there is no such policy, with the code that it ends in.
  static func failure(_ error: PolicyFindingError) -> CommandFailure {
    switch error {
    case .unknown, .unreadable: CommandFailure(.missing, "\(error)")
    case .tooLarge, .mistakes, .digest: CommandFailure(.data, "\(error)")
    }
  }

  /// What a session finds around it in which nobody is asked: permissions that can change while it runs, and whoever
  /// opens its app.
  static func surroundings(
    _ app: AppStore,
    _ resolution: PermissionResolution,
    _ console: Console
  ) -> SessionSurroundings {
    let files = AdministrationFiles(environment: console.environment)
    return SessionSurroundings(
      lock: FixedLockState(.unlocked),
      permissions: PermissionMonitor(app, resolution, files: files),
      opener: opener(app, console)
    )
  }

  /// Whoever opens an app.
  static func opener(_ app: AppStore, _ console: Console) -> ApplicationOpener {
    ApplicationOpener(app, catalog: CommonOptions.catalog(app.root), environment: console.environment)
  }

  /// Finishes what a host that died has left, before anything new begins.
  ///
  /// A session that cannot be finished now stays where it is and hinders no other.
  static func finishEarlierSessions(_ root: StateRoot, _ console: Console) {
    var hasTrash = true
    do {
      // A session must not wait for what others have left to be deleted.
      let summary = try SessionRecovery.run(root, library: nil, trash: .beginning, console)
      hasTrash = summary.hasTrash
      for report in summary.sessions where !report.finding.isLive {
        console.note(
          "darkroom: session \(report.session), whose host had died, \(RecoveryOutput.line(report.finding))"
        )
      }
    } catch { console.note("darkroom: earlier sessions could not be looked through: \(error)") }
    if hasTrash { Sweeping.begin(root) }
  }

  /// Runs a session to the end of its hand-over.
  static func run(
    _ request: SessionRequest,
    _ control: any SessionControl,
    _ root: StateRoot,
    _ signals: HostSignals,
    _ console: Console
  ) throws(CommandFailure) -> SessionReport {
    let journal = SystemJournal(environment: console.environment)
    var request = request
    request.streams = [console.input, console.output, console.error]
    var resources: HostResources?
    if case .server(let command, let kept) = console.process {
      // It passes signals on, which the server's process would take for its own.
      request.hostProcess = command.client
      resources = kept
    }
    do {
      return try SessionRunner(stateRoot: root, signals: signals, journal: journal, resources: resources)
        .run(request, control: control)
    } catch .camera(.source(let error)) where error.reason == .stopped {
      throw CommandFailure(.interrupted, "stopped before \(error.source) gave a frame; nothing was launched")
    } catch .camera(.source(let error)) {
      throw CommandFailure(ExitCode(error), "\(SessionError.camera(.source(error)))")
    } catch .camera(let error) {
      throw CommandFailure(.missing, "\(SessionError.camera(error))")
    } catch .microphone(.source(let error)) {
      throw CommandFailure(error)
    } catch .preview(let error) {
      throw CommandFailure(.output, "\(SessionError.preview(error)); nothing was launched")
    } catch .seat(let holder) {
      throw CommandFailure(.interrupted, "\(SessionError.seat(holder))")
    } catch .room(let refusal) {
      throw CommandFailure(.store, "no room: \(refusal); nothing was launched")
    } catch .store(.refused(let refusal)) {
      throw CommandFailure(.machine, "\(refusal); nothing was launched")
    } catch .store(let error) {
      throw CommandFailure(
        .store,
        "\(error); if the session had begun, its content is safe, and 'darkroom recover' hands it over"
      )
    } catch { throw CommandFailure(.machine, "\(error)") }
  }

  /// Says why an extension gets no sound although somebody has typed where it comes from.
  static func noteSilence(_ request: SessionRequest, _ console: Console) {
    guard request.microphone != nil else { return }
    let permission = request.surroundings.permissions.resolved[.microphone]
    let reason: String
    if request.conversation != .messages {
      reason = "it does not talk with the host (\"protocol\": \"none\"), and sound comes to those that do"
    } else if case .undescribed(let manifests) = permission.ground {
      let names = manifests.map(\.rawValue).joined(separator: " and ")
      reason = "\(names) must have \"microphone\" among \"usageDescriptions\""
    } else if !permission.isUsable, !DeviceWish.says(permission) {
      reason =
        "its app may not use the microphone (\(permission.status.rawValue)); allow it with: darkroom permission set "
        + "\(request.app.id) microphone authorized"
    } else {
      return
    }
    console.note("darkroom: \(request.extensionID) gets no sound: \(reason)")
  }

  /// Refuses to begin a session whose record could not be written to the file that was asked for.
  static func checkRecord(_ parsed: ParsedCommand) throws(CommandFailure) {
    guard let path = parsed.value(of: CommonOptions.record) else { return }
    do { try OutputFile(path).check() } catch {
      throw CommandFailure(.store, "the record cannot be written: \(error); nothing was launched")
    }
  }

  /// Writes the record to the file that was asked for.
  static func writeRecord(_ report: SessionReport, _ parsed: ParsedCommand) throws(CommandFailure) {
    guard let path = parsed.value(of: CommonOptions.record) else { return }
    do {
      try OutputFile(path).write(report.record.json.bytes(.indented), mode: 0o644)
    } catch {
      throw CommandFailure(
        .store,
        "the record could not be written: \(error); it is also in \(report.recordPath)"
      )
    }
  }

  /// Prints what was captured.
  static func show(
    _ report: SessionReport,
    _ learned: LearningReport? = nil,
    asJSON: Bool,
    _ console: Console
  ) {
    let record = report.record
    if asJSON {
      console.print(
        JSONValue.object([
          "content": report.contentPath.map(JSONValue.string), "record": .string(report.recordPath),
          "session": record.json,
          "hints": report.hints.isEmpty ? nil : .array(report.hints.map(\.json)),
          "learned": learned?.json,
        ])
      )
      return
    }
    if let path = report.contentPath {
      console.print("captured  \(record.content.files) files, \(record.content.bytes) bytes, in \(path)")
      for file in record.files { console.print("  \(file.path)  \(file.size) bytes") }
    } else {
      console.print("captured  nothing")
    }
    if let frames = record.frames {
      console.print(
        "frames    \(frames.produced) produced, \(frames.consumed) consumed, \(frames.dropped) dropped"
      )
      if let latency = frames.latency { console.print("shown     \(words(latency))") }
    }
    if let sound = record.sound {
      console.print(
        "sound     \(sound.produced) blocks, \(sound.consumed) consumed, \(sound.dropped) dropped"
      )
    }
    console.print("outcome   \(TextTable.printable("\(record.outcome)"))")
    console.print("record    \(report.recordPath)")
  }

  /// What is said of the frames that a viewfinder has shown.
  private static func words(_ latency: SessionRecord.Latency) -> String {
    let times = "half of them within \(latency.median) µs of the camera, 99 % within \(latency.most) µs"
    let torn = latency.torn > 0 ? "; the extension has drawn over \(latency.torn) meanwhile" : ""
    return "\(latency.frames) frames, \(times)\(torn)"
  }

  /// Says what a person has to know beyond what the program itself has said, and gives the exit code.
  static func conclude(
    _ report: SessionReport,
    _ console: Console,
    naming name: String
  ) -> Int32 {
    if !report.record.outcome.goesWithoutSaying {
      console.note("darkroom: \(name): \(TextTable.printable("\(report.record.outcome)"))")
    }
    if let failure = report.openingFailure {
      console.note("darkroom: the app was not opened, and finds what it is told when it is: \(failure)")
    }
    if let fault = report.logFault {
      console.note(
        "darkroom: what was captured is handed over, but the session is not in the session log yet: \(fault); "
          + "'darkroom recover' tries again"
      )
    }
    let refusals = RefusalOutput.lines(report.record, explained: report.explainedRefusals)
    for line in refusals { console.note("darkroom: \(line)") }
    for hint in report.hints {
      console.note("darkroom: guessed from its output: \(TextTable.printable(hint.sentence))")
    }
    let record = report.record
    if let line = ContentOutput.renames(record.content.renamed, of: record.app, "\(record.sessionID)") {
      console.note("darkroom: \(line)")
    }
    for line in QuarantineOutput.lines(report.record) { console.note("darkroom: \(line)") }
    for text in report.record.violations { console.note("darkroom: \(TextTable.printable(text))") }
    return report.record.outcome.suggestedExitCode
  }
}

extension SessionOutcome {
  /// Whether whoever ran the session knows it already: the extension ended by itself, or as it was told.
  var goesWithoutSaying: Bool {
    switch self {
    case .completed: true
    case .dismissed(let dismissal) where dismissal.by == .person || dismissal.by == .extension:
      switch dismissal.ending {
      case .exited, .asked, nil: true
      case .signaled, .outstayed: false
      }
    default: false
    }
  }
}

extension Recovery.Finding {
  /// Whether the session is running.
  fileprivate var isLive: Bool {
    if case .live = self { true } else { false }
  }
}
