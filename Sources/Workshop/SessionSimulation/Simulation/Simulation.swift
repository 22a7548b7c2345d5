// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
internal import ExtensionProtocol
internal import PhotoLibrary
internal import SessionServices
package import SessionStore

/// Sessions of an installed extension in its real sandbox, with everything around it made up: the person, the machine's
/// lock, what the app may use, the camera, the space that is left, and the state root itself.
package struct Simulation {
  /// How one session is to be.
  package struct Order: Sendable {
    /// What happens, and what is expected.
    package var script: SessionScript
    /// Where frames come from.
    package var camera: String
    /// How long the extension may take to end, in seconds.
    package var grace = SessionRequest.standardGrace
    /// How long it has for what the watchdog requires.
    package var watchdog = SessionRequest.WatchdogTime.asLaunchDeadline
    /// Gets a copy of what the extension writes; nil for nobody.
    package var echo: Int32?
    /// Whether anything holds of earlier sessions.
    package var beginning = Beginning.afresh

    /// Describes a session.
    package init(_ script: SessionScript, camera: String) {
      self.script = script
      self.camera = camera
    }
  }

  /// What a session finds that was there before it.
  package enum Beginning: Sendable {
    /// Nothing: decisions of the person and the app context are forgotten.
    case afresh
    /// What others have left, or are about to.
    case besideOthers
  }

  /// How a session went.
  package struct Result: Sendable {
    /// What became of the session.
    package var report: SessionReport
    /// What came of each line that expects something, and of those that were not reached.
    package var findings: [ScriptFinding]

    /// Whether everything was as it should be.
    package var holds: Bool { findings.allSatisfy(\.holds) }
  }

  /// The state root, which must be one that was made for this: decisions of persons in it are forgotten.
  private let root: StateRoot
  /// The extension.
  private let installed: InstalledExtension
  /// What ends sessions in order; nil: nothing does.
  private let signals: HostSignals?

  /// Is told what a person has to know before a session begins, in a sentence.
  package var notice: (String) -> Void = { _ in }

  /// Prepares for sessions of an extension that is installed in a state root made for this.
  package init(_ installed: InstalledExtension, _ root: StateRoot, _ signals: HostSignals?) {
    self.root = root
    self.installed = installed
    self.signals = signals
  }

  /// Runs a session to the end of its hand-over, on a plain thread.
  package func run(_ order: Order) throws(SimulationError) -> Result {
    let app: AppStore
    let world: SimulatedWorld
    do throws(StoreError) {
      app = try root.app(installed.app.id)
      if order.beginning == .afresh { try SimulatedWorld.forget(app) }
      world = try SimulatedWorld(app)
    } catch { throw .session(.store(error)) }
    for premise in order.script.given {
      if let fault = world.carryOut(premise.change) { throw .given(line: premise.line, fault) }
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

  /// What is expected of every session whose script says nothing of its end: that it ends well.
  private static func ending(_ script: SessionScript, _ record: SessionRecord) -> [ScriptFinding] {
    let isJudged = script.steps.contains { step in
      if case .judge(let judgement) = step.deed, case .outcome = judgement.condition { true } else { false }
    }
    if isJudged { return [] }
    let isWell = record.outcome.suggestedExitCode == 0
    return [
      ScriptFinding(
        line: 0,
        text: "the session ends well",
        verdict: isWell ? .held : .failed("\(record.outcome)")
      )
    ]
  }

  /// What the session is asked for with.
  private func request(
    _ order: Order,
    _ world: SimulatedWorld,
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
    request.watchdog = order.watchdog
    request.notice = notice
    request.cameraReplacement = { [camera = world.camera] in ScenarioCamera($0, camera) }
    request.preparation = .atLaunch
    request.surroundings = SessionSurroundings(
      lock: FixedLockState(world.lock),
      permissions: PermissionMonitor(
        app,
        PermissionResolution(installed, granted: world.granted),
        // What this machine's administrator forbids is no part of surroundings that are the same everywhere.
        files: AdministrationFiles(machine: "\(root.path)/administration.json")
      ),
      authenticator: SimulatedPerson(world.authentication),
      opener: SimulatedOpener(),
      photos: PhotoService(LibraryPlace(path: "\(root.path)/library")),
      launch: world.lock == .locked ? LaunchOrigin(.lockScreen) : .commandLine,
      seat: .besideOthers
    )
    request.surroundings.space = world.space
    return request
  }
}

/// Why a session with made-up surroundings could not be run.
package enum SimulationError: Error, Sendable, CustomStringConvertible {
  /// What is given in this line cannot be.
  case given(line: Int, String)
  /// The extension is not launched.
  case launch(ExtensionLaunchError)
  /// The session could not be run.
  case session(SessionError)
  /// A script that the host has written itself cannot be read.
  case script(ScriptError)
  /// The host was told to stop.
  case stopped

  /// A sentence.
  package var description: String {
    switch self {
    case .given(let line, let fault): "what line \(line) gives cannot be: \(fault)"
    case .launch(let error): "\(error)"
    case .session(let error): "\(error)"
    case .script(let error): "\(error)"
    case .stopped: "stopped by a signal; nothing is left behind"
    }
  }
}
