// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PhotoLibrary
internal import PolicyTrials
internal import SessionServices
internal import SessionSimulation
internal import SessionStore

/// Runs one session of a program in an environment that the arguments describe.
///
/// `darkroom-scenario ROOT RECORD WORLD PROGRAM ORDER…`: WORLD is a JSON object with the members of
/// ``ScenarioSettings``. Standard output has the output of the extension and the requests to the environment. The record
/// is written to RECORD.
@main struct Scenario {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count >= 5 else { throw UsageError(problem: "too few arguments") }
    let settings = ScenarioSettings(try JSONNode.parse(Array(words[3].utf8)).value)
    // An extension that has exited does not read replies.
    SignalDescriptor.reportFailedWrites()
    let signals = try HostSignals()
    let root = StateRoot(path: words[1])
    try root.prepare()
    let app = try root.app("org.example.scenario")
    try app.prepare()
    let policy = try PolicyFinder.find("capture")
    let subject = LaunchTarget(
      program: .file(words[4]),
      arguments: Array(words.dropFirst(5)),
      environment: [],
      policy: policy.policy
    )
    var request = SessionRequest(
      subject: subject,
      extension: .init(app: app, id: "org.example.scenario.extension", policyDigest: policy.digest),
      conversation: .messages,
      devices: .init(frames: .ring, camera: "pattern:64x48@60"),
      times: .init(
        dismissalGrace: settings.seconds("grace") ?? 0.5,
        watchdog: settings.seconds("watchdog").map { .seconds($0) } ?? .off
      ),
      standard: .logged(echo: 1),
      dependencies: try settings.surroundings(app)
    )
    request.previewPath = settings.text("preview")
    request.times.idleTimeout = settings.seconds("idle") ?? 0
    request.times.activityCap = settings.seconds("cap") ?? 30
    let script = try SessionScript(settings.text("script") ?? "", name: "script")
    let runner = SessionRunner(stateRoot: root, signals: signals)
    do {
      let report = try runner.run(request, control: ScriptedControl(script))
      if let failure = report.openingFailure { printLine("not opened: \(failure)") }
      try FileSystem.replaceContents(words[2], with: report.record.json.bytes())
    } catch let error as SessionError { printLine("refused: \(error)") }
  }

  private struct UsageError: Error { var problem: String }
}

/// Prints a line without buffering, between lines of the extension.
private func printLine(_ line: String) { try? Descriptor.write(Array("\(line)\n".utf8), toNumber: 1) }

/// The environment of a session.
private struct ScenarioSettings {
  private let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  func text(_ name: String) -> String? { value[name]?.string }
  func seconds(_ name: String) -> Double? { value[name]?.double }

  func surroundings(_ app: AppStore) throws -> SessionDependencies {
    let answer = text("answer")
    return SessionDependencies(
      lock: FixedLockState(text("lock") == "locked" ? .locked : .unlocked),
      permissions: try FileTriggeredPermissions(app.directory),
      authenticator: answer.map { ScriptedAuthenticator($0) },
      opener: text("app") == "none" ? nil : ReportingOpener(app, isInstalled: text("app") != "missing"),
      photos: text("library").map { photos($0) },
      launch: LaunchOrigin(
        text("surface").flatMap(LaunchSurface.init) ?? .commandLine,
        control: text("control")
      )
    )
  }
}

extension ScenarioSettings {
  /// Returns a photo library that pauses after a copy while the file `hold` exists.
  fileprivate func photos(_ path: String) -> PhotoService {
    let hold = text("hold")
    return PhotoService(LibraryLocation(path: path)) {
      while let hold, (try? FileSystem.status(hold)) != nil { MonotonicClock.sleep(milliseconds: 1) }
    }
  }
}

/// Permissions that allow the camera until the file `revoked` is created in the app's directory.
private final class FileTriggeredPermissions: PermissionWatching {
  private let watch: DirectoryWatch
  private(set) var resolved = FixedPermissions(Permissions(camera: .authorized, photos: .limited)).resolved

  init(_ directory: String) throws(SystemCallError) { watch = try DirectoryWatch(directory) }

  var descriptor: Int32? { watch.descriptor.rawValue }

  func attach(_ subject: PermissionSubject, _ device: String) {}

  func refresh() {
    let changes = (try? watch.changes()) ?? []
    guard changes.contains(.appeared("revoked")) else { return }
    resolved = FixedPermissions(Permissions(camera: .denied, photos: .limited)).resolved
  }
}

/// An authenticator that prompts no user and returns a scripted result.
private final class ScriptedAuthenticator: Authenticating {
  private let answer: String

  init(_ answer: String) { self.answer = answer }

  func begin(reason: String) -> any AuthenticationAttempt {
    printLine("asked to \(reason)")
    return Attempt(answer)
  }
}

/// An attempt that is decided at the start, or never.
private final class Attempt: AuthenticationAttempt {
  private let event: Descriptor
  let result: AuthenticationResult?

  init(_ answer: String) {
    result =
      switch answer {
      case "succeeded": .succeeded
      case "failed": .failed
      case "cancelled": .cancelled
      case "timedOut": .timedOut
      case "tooManyAttempts": .tooManyAttempts
      default: nil
      }
    guard let event = try? EventCounter.make() else { fatalError("no eventfd can be made") }
    if result != nil { try? EventCounter.add(to: event) }
    self.event = event
  }

  var descriptor: Int32 { event.rawValue }

  func cancel() { printLine("asks no more") }
}

/// Prints the activity of an open request and the files that the app finds then.
private final class ReportingOpener: ApplicationOpening {
  private let app: AppStore
  private let isInstalled: Bool

  init(_ app: AppStore, isInstalled: Bool) {
    self.app = app
    self.isInstalled = isInstalled
  }

  func check() throws(ApplicationOpeningError) {
    if !isInstalled { throw .notInstalled(app: app.id) }
  }

  func open(_ delivery: AppDelivery) throws(ApplicationOpeningError) {
    let mail = (try? FileSystem.names(in: app.activitiesDirectory)) ?? []
    let content = (try? FileSystem.names(in: app.contentDirectory)) ?? []
    let isThere = mail == [delivery.fileName] && content == [delivery.session]
    printLine(
      "opens \(delivery.activity?.activityType ?? "nothing"): \(isThere ? "complete" : "\(mail) \(content)")"
    )
  }
}
