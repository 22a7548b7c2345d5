// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
internal import LinuxPrimitives
package import SessionStore

/// A harness that checks one extension in sessions with a simulated environment.
package struct ConformanceHarness {
  /// The extension.
  let installed: InstalledExtension
  /// A state root that was created for this harness.
  let root: StateRoot
  /// The signals that end the checks in an orderly way.
  package let signals: HostSignals
  /// The specification of the camera.
  var camera = "pattern:320x240@30"
  /// The time that the extension may take to end, in seconds.
  package var grace = SessionRequest.standardGrace
  /// The path of the probe program, or `nil` for the default one.
  package var probePath: String?
  /// A closure that receives a sentence for the user before a session starts.
  package var notice: (String) -> Void = { _ in }

  /// Creates a harness for an extension that is installed in a state root created for this purpose.
  package init(_ installed: InstalledExtension, _ root: StateRoot, _ signals: HostSignals) {
    self.installed = installed
    self.root = root
    self.signals = signals
  }

  /// Performs a check.
  package func verdict(_ check: ConformanceCheck) throws(SimulationError) -> ConformanceVerdict {
    if let reason = exemption(from: check) { return .notApplicable(reason) }
    return switch check {
    case .protocol: try protocolVerdict()
    case .viewfinder: try viewfinderVerdict()
    case .dismissal: try lifeVerdict("")
    case .midWrite: try midWriteVerdict()
    case .context: try contextVerdict()
    case .denied: try deniedVerdict()
    case .revoked: try lifeVerdict("revoke camera\nwait 500ms\n")
    case .unplugged: try lifeVerdict("unplug\nwait 500ms\n")
    case .stalled: try stalledVerdict()
    case .full: try fullVerdict()
    case .twice: try twiceVerdict()
    case .calls: try callsVerdict()
    case .attack: try attackVerdict()
    }
  }

  /// Returns the reason why a check does not apply to this kind of extension, or `nil` if it does.
  private func exemption(from check: ConformanceCheck) -> String? {
    switch check {
    case .protocol where hasNoProtocol:
      "the extension uses no protocol: its manifest contains \"protocol\": \"none\""
    case .viewfinder where !hasFrames, .denied where !hasFrames, .revoked where !hasFrames,
      .unplugged where !hasFrames, .stalled where !hasFrames:
      "the extension uses no frames: its manifest has no usage description for the camera"
    default: nil
    }
  }

  /// Whether the extension uses no protocol.
  var hasNoProtocol: Bool { installed.manifest.capture.hostProtocol == .none }
  /// Whether the extension uses frames.
  var hasFrames: Bool { installed.manifest.capture.frames != .none }
  /// The time in seconds within which the extension must answer: its launch deadline, and a second for the
  /// host to report it.
  var answerTimeout: Double { installed.manifest.launchDeadline + 1 }

  /// The start of a script after which the extension is running normally. Only an answer is required here;
  /// other checks cover the other conditions.
  var openingScript: String {
    if hasNoProtocol { return hasFrames ? "expect frames 1 within 2s\n" : "expect no ended within 300ms\n" }
    let viewfinder = hasFrames ? "expect presented within 2s\n" : ""
    return "await answered within \(answerTimeout)s\nexpect listening within 2s\n\(viewfinder)"
  }

  /// Runs a session with the text of a script.
  func play(
    _ text: String,
    watchdog: SessionRequest.WatchdogTime = .off
  ) throws(SimulationError) -> Simulation.Result {
    try play(try order(text, watchdog))
  }

  /// Runs a session.
  func play(_ order: Simulation.Configuration) throws(SimulationError) -> Simulation.Result {
    var simulation = Simulation(installed, root, signals)
    simulation.notice = notice
    let result = try simulation.run(order)
    if result.report.record.outcome.isHostStopped { throw .stopped }
    return result
  }

  /// Returns the configuration of a session with a script.
  func order(
    _ text: String,
    _ watchdog: SessionRequest.WatchdogTime = .off
  ) throws(SimulationError) -> Simulation.Configuration {
    let script: SessionScript
    do throws(ScriptError) { script = try SessionScript(text, name: "check") } catch { throw .script(error) }
    var order = Simulation.Configuration(script, camera: camera)
    order.watchdog = watchdog
    order.grace = grace
    return order
  }
}
