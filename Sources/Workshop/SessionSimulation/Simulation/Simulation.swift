// SPDX-License-Identifier: Apache-2.0

package import AppBundles
internal import CameraDevices
package import CaptureHost
internal import ExtensionProtocol
internal import PhotoLibrary
internal import SessionServices
package import SessionStore

/// Runs sessions of an installed extension in its real sandbox, with a simulated environment: the user, the
/// lock state, the permissions, the camera, the free space and the state root.
package struct Simulation {
  /// The configuration of a session.
  package struct Configuration: Sendable {
    package var script: SessionScript
    /// The specification of the camera.
    package var camera: String
    /// The time that the extension may take to end, in seconds.
    package var grace = SessionRequest.standardGrace
    /// The deadline for the requirements of the watchdog.
    package var watchdog = SessionRequest.WatchdogTime.asLaunchDeadline
    /// A descriptor that receives a copy of the extension's output, or `nil`.
    package var echo: Int32?
    /// The initial state of the session.
    package var initialState = InitialState.clean

    /// Creates a configuration from its parts.
    package init(_ script: SessionScript, camera: String) {
      self.script = script
      self.camera = camera
    }
  }

  /// The state of earlier sessions that a session finds.
  package enum InitialState: Sendable {
    /// None: the user's decisions and the app context are deleted.
    case clean
    /// The state of other sessions, including concurrent ones.
    case shared
  }

  /// The result of a session.
  package struct Result: Sendable {
    /// The report of the session.
    package var report: SessionReport
    /// The results of all assertions and of all lines that were not reached.
    package var findings: [ScriptResult]

    /// Whether all assertions held.
    package var holds: Bool { findings.allSatisfy(\.holds) }
  }

  /// The state root, which must have been created for this purpose: decisions of users in it are deleted.
  private let root: StateRoot
  /// The extension.
  private let installed: InstalledExtension
  /// The signals that end sessions in an orderly way, or `nil`.
  private let signals: HostSignals?

  /// A closure that receives a sentence for the user before a session starts.
  package var notice: (String) -> Void = { _ in }

  /// Creates a simulation for an extension that is installed in a state root created for this purpose.
  package init(_ installed: InstalledExtension, _ root: StateRoot, _ signals: HostSignals?) {
    self.root = root
    self.installed = installed
    self.signals = signals
  }

  /// Returns whether a camera provides the same frames each time: a file or a pattern.
  package static func isRepeatable(_ camera: String) -> Bool {
    camera != "-" && !CameraSpecification.isCameraName(camera)
  }

  /// Runs a session, including its migration. Callers must be on a thread outside the Swift concurrency pool.
  package func run(_ order: Configuration) throws(SimulationError) -> Result {
    let app: AppStore
    let world: SimulatedEnvironment
    do throws(StoreError) {
      app = try root.app(installed.app.id)
      if order.initialState == .clean { try SimulatedEnvironment.forget(app) }
      world = try SimulatedEnvironment(app)
    } catch { throw .session(.store(error)) }
    for precondition in order.script.given {
      if let fault = world.apply(precondition.change) { throw .given(line: precondition.line, fault) }
    }
    let control = ScriptedControl(order.script, world: world, ending: .dismissal)
    let request = try request(order, world, app)
    let report: SessionReport
    do throws(SessionError) {
      report = try SessionRunner(stateRoot: root, signals: signals).run(request, control: control)
    } catch { throw .session(error) }
    return Result(
      report: report,
      findings: control.findings(report.record) + Self.ending(order.script, report.record)
    )
  }

  /// Returns the default assertion for a script without an assertion about the outcome: the session ends
  /// successfully.
  private static func ending(_ script: SessionScript, _ record: SessionRecord) -> [ScriptResult] {
    let isJudged = script.steps.contains { step in
      if case .assert(let assertion) = step.action, case .outcome = assertion.condition {
        true
      } else {
        false
      }
    }
    if isJudged { return [] }
    let isWell = record.outcome.suggestedExitCode == 0
    return [
      ScriptResult(
        line: 0,
        text: "the session ends successfully",
        verdict: isWell ? .passed : .failed("\(record.outcome)")
      )
    ]
  }

  /// Returns the request for the session.
  private func request(
    _ order: Configuration,
    _ world: SimulatedEnvironment,
    _ app: AppStore
  ) throws(SimulationError) -> SessionRequest {
    var choices = ExtensionLaunch.Choices()
    choices.camera = world.hasCamera ? order.camera : nil
    choices.dismissalGrace = order.grace
    choices.echo = order.echo
    var request: SessionRequest
    do throws(ExtensionLaunchError) {
      request = try ExtensionLaunch.request(installed, root, choices)
    } catch { throw .launch(error) }
    request.times.watchdog = order.watchdog
    request.notice = notice
    request.devices.cameraReplacement = { [camera = world.camera] in ScenarioCamera($0, camera) }
    request.preparation = .atLaunch
    request.dependencies = SessionDependencies(
      lock: FixedLockState(world.lock),
      permissions: PermissionMonitor(
        app,
        PermissionResolution(installed, granted: world.granted),
        // Policies of this machine's administrator would make results differ between machines.
        files: AdministrationFiles(machine: "\(root.path)/administration.json")
      ),
      authenticator: SimulatedUser(world.authentication),
      opener: SimulatedOpener(),
      photos: PhotoService(LibraryLocation(path: "\(root.path)/library")),
      launch: world.lock == .locked ? LaunchOrigin(.lockScreen) : .commandLine,
      seat: .shared
    )
    request.dependencies.space = world.space
    return request
  }
}

/// A failure to run a session with a simulated environment.
package enum SimulationError: Error, Sendable, CustomStringConvertible {
  /// A precondition of the script could not be established.
  case given(line: Int, String)
  /// The extension could not be launched.
  case launch(ExtensionLaunchError)
  /// The session could not be run.
  case session(SessionError)
  /// A built-in script could not be parsed.
  case script(ScriptError)
  /// The host was stopped by a signal.
  case stopped

  /// The error as text.
  package var description: String {
    switch self {
    case .given(let line, let fault): "line \(line): the precondition cannot be established: \(fault)"
    case .launch(let error): "\(error)"
    case .session(let error): "\(error)"
    case .script(let error): "\(error)"
    case .stopped: "stopped by a signal; nothing is left behind"
    }
  }
}
