// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import CaptureHost
internal import CommandGrammar
internal import ExtensionProtocol
internal import HostService
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyExplanation
internal import PolicyLearning
internal import Refusals
internal import SessionServices
internal import SessionStore

/// The functions that the commands `exec`, `run`, `demo` and others share to run a session and report its
/// result.
enum SessionCommands {
  /// Returns the host's signals.
  ///
  /// The call must precede the creation of any thread.
  static func hostSignals(_ console: Console) throws(CommandFailure) -> HostSignals {
    do {
      // A server handles its own signals; each client forwards the signals that it receives.
      guard case .server(let command, _) = console.process else { return try HostSignals() }
      return HostSignals(relayedBy: try command.signals())
    } catch { throw CommandFailure(.machine, "\(error)") }
  }

  /// Returns the policy with a name or path.
  static func policy(_ nameOrPath: String) throws(CommandFailure) -> FoundPolicy {
    do { return try PolicyFinder.find(nameOrPath) } catch { throw failure(error) }
  }

  /// Creates the failure for a policy that cannot be found.
  static func failure(_ error: PolicyFindingError) -> CommandFailure {
    switch error {
    case .unknown, .unreadable: CommandFailure(.missing, "\(error)")
    case .tooLarge, .diagnostics, .digest: CommandFailure(.data, "\(error)")
    }
  }

  /// Recovers the sessions of hosts that died, before a new session starts.
  ///
  /// A session that cannot be recovered now stays in place and does not prevent new sessions.
  static func recoverEarlierSessions(_ root: StateRoot, _ console: Console) {
    var hasTrash = true
    do {
      // A new session must not wait until the trash is empty.
      let summary = try SessionRecovery.run(
        root,
        library: nil,
        trash: .partial,
        environment: console.environment,
        notice: { console.note("darkroom: \($0)") }
      )
      hasTrash = summary.hasTrash
      for report in summary.sessions where !report.finding.isLive {
        console.note(
          "darkroom: interrupted session \(report.session): \(RecoveryOutput.line(report.finding))"
        )
      }
    } catch { console.note("darkroom: interrupted sessions could not be recovered: \(error)") }
    if hasTrash { BackgroundPrune.start(root) }
  }

  /// Runs a session until its content is migrated.
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
      // The client forwards signals. A signal to the server's own process would stop the server.
      request.hostProcess = command.client
      resources = kept
    }
    do {
      return try SessionRunner(stateRoot: root, signals: signals, journal: journal, resources: resources)
        .run(request, control: control)
    } catch .camera(.source(let error)) where error.reason == .stopped {
      throw CommandFailure(
        .temporaryFailure,
        "stopped before \(error.source) delivered a frame; nothing was launched"
      )
    } catch .microphone(.source(let error)) {
      throw CommandFailure(error)
    } catch { throw CommandFailure(exitCode(error), error.message) }
  }

  /// Returns the exit code for a session that was not started, or was not migrated.
  static func exitCode(_ error: SessionError) -> ExitCode {
    switch error {
    case .camera(.source(let error)): ExitCode(error)
    case .camera: .missing
    case .preview: .output
    case .foregroundOccupied: .temporaryFailure
    case .store(.refused): .machine
    case .insufficientSpace, .store: .store
    case .microphone, .host: .machine
    }
  }

  /// Prints why an extension gets no sound although the command line names a microphone.
  static func explainMissingSound(_ request: SessionRequest, _ console: Console) {
    guard request.devices.microphone != nil else { return }
    let permission = request.dependencies.permissions.resolved[.microphone]
    let reason: String
    if request.conversation != .messages {
      reason = "its manifest has \"protocol\": \"none\", and sound requires the host protocol"
    } else if case .missingUsageDescription(let manifests) = permission.reason {
      let names = manifests.map(\.rawValue).joined(separator: " and ")
      reason = "\"usageDescriptions\" in \(names) must contain \"microphone\""
    } else if !permission.isUsable, !DeviceAccessRequest.explains(permission) {
      reason =
        "its app may not use the microphone (\(permission.status.rawValue)); run 'darkroom permission set "
        + "\(request.extension.app.id) microphone authorized'"
    } else {
      return
    }
    console.note("darkroom: \(request.extension.id) gets no sound: \(reason)")
  }

  /// Throws if the session record could not be written to the requested file.
  static func checkRecord(_ parsed: ParsedCommand) throws(CommandFailure) {
    guard let path = parsed.value(of: CommonOptions.record) else { return }
    do { try OutputFile(path).check() } catch {
      throw CommandFailure(.store, "the record cannot be written: \(error); nothing was launched")
    }
  }

  /// Writes the session record to the requested file.
  static func writeRecord(_ report: SessionReport, _ parsed: ParsedCommand) throws(CommandFailure) {
    guard let path = parsed.value(of: CommonOptions.record) else { return }
    do {
      try OutputFile(path).write(report.record.json.bytes(.indented), mode: 0o644)
    } catch {
      throw CommandFailure(
        .store,
        "the record could not be written: \(error); a copy is in \(report.recordPath)"
      )
    }
  }

  /// Prints the captured files and the outcome.
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
      let amount = "\(counted(record.content.files, "file")), \(counted(record.content.bytes, "byte"))"
      console.print("captured  \(amount), in \(path)")
      for file in record.files { console.print("  \(file.path)  \(counted(file.size, "byte"))") }
    } else {
      console.print("captured  nothing")
    }
    if let frames = record.frames {
      console.print(
        "frames    \(frames.produced) produced, \(frames.consumed) consumed, \(frames.dropped) dropped"
      )
      if let latency = frames.latency { console.print("shown     \(text(latency))") }
    }
    if let sound = record.sound {
      console.print(
        "sound     \(counted(sound.produced, "block")), \(sound.consumed) consumed, \(sound.dropped) dropped"
      )
    }
    console.print("outcome   \(TextTable.printable("\(record.outcome)"))")
    console.print("record    \(report.recordPath)")
  }

  /// Returns the text about the latency of frames in the viewfinder.
  private static func text(_ latency: SessionRecord.Latency) -> String {
    let times = "half of them within \(latency.median) µs of the camera, 99 % within \(latency.most) µs"
    let torn = latency.torn > 0 ? "; the extension overwrote \(latency.torn) during display" : ""
    return "\(counted(latency.frames, "frame")), \(times)\(torn)"
  }

  /// Prints the messages that the user needs in addition to the program's own output. Returns the exit code.
  static func conclude(
    _ report: SessionReport,
    _ console: Console,
    naming name: String
  ) -> Int32 {
    if !report.record.outcome.isExpected {
      console.note("darkroom: \(name): \(TextTable.printable("\(report.record.outcome)"))")
    }
    if let failure = report.openingFailure {
      console.note("darkroom: the app was not opened and gets the delivery at its next start: \(failure)")
    }
    if let fault = report.logFault {
      console.note(
        "darkroom: the content was migrated, but the session is not in the session log yet: \(fault); "
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
  /// Whether the outcome needs no message: the extension exited by itself, or as the user requested.
  var isExpected: Bool {
    switch self {
    case .completed: true
    case .dismissed(let dismissal) where dismissal.by == .user || dismissal.by == .extension:
      switch dismissal.ending {
      case .exited, .requested, nil: true
      case .signaled, .timedOut: false
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
