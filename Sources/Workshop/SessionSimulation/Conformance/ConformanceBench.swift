// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
internal import LinuxPrimitives
package import SessionStore

/// Checks one extension, in sessions with made-up surroundings.
package struct ConformanceBench {
  /// The extension.
  let installed: InstalledExtension
  /// A state root that was made for this.
  let root: StateRoot
  /// What ends the checks in order.
  package let signals: HostSignals
  /// Where frames come from.
  var camera = "pattern:320x240@30"
  /// How long the extension may take to end, in seconds.
  package var grace = SessionRequest.standardGrace
  /// The program that makes attempts; nil: the one beside this program.
  package var probes: String?
  /// Is told what a person has to know before a session begins, in a sentence.
  package var notice: (String) -> Void = { _ in }

  /// Prepares to check an extension that is installed in a state root made for this.
  package init(_ installed: InstalledExtension, _ root: StateRoot, _ signals: HostSignals) {
    self.installed = installed
    self.root = root
    self.signals = signals
  }

  /// Makes a check.
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

  /// Why an extension of this kind cannot be checked for something; nil: it can.
  private func exemption(from check: ConformanceCheck) -> String? {
    switch check {
    case .protocol where isSilent: "it speaks no protocol: its manifest says \"protocol\": \"none\""
    case .viewfinder where !hasFrames, .denied where !hasFrames, .revoked where !hasFrames,
      .unplugged where !hasFrames, .stalled where !hasFrames:
      "it takes no frames: its manifest has no usage description for the camera"
    default: nil
    }
  }

  /// Whether the extension speaks no protocol.
  var isSilent: Bool { installed.manifest.hostProtocol == .none }
  /// Whether it takes frames.
  var hasFrames: Bool { installed.manifest.frames != .none }
  /// How long it has until it must have answered, in seconds, with a second in which the host says so.
  var patience: Double { installed.manifest.launchDeadline + 1 }

  /// The beginning of a script after which the extension is at work, as far as it ever is. Only that it answers is
  /// required: what else it lacks is what other checks are for.
  var opening: String {
    if isSilent { return hasFrames ? "expect frames 1 within 2s\n" : "expect no ended within 300ms\n" }
    let viewfinder = hasFrames ? "expect presented within 2s\n" : ""
    return "await answered within \(patience)s\nexpect listening within 2s\n\(viewfinder)"
  }

  /// Plays a script.
  func play(
    _ text: String,
    watchdog: SessionRequest.WatchdogTime = .off
  ) throws(SimulationError) -> Simulation.Result {
    try play(try order(text, watchdog))
  }

  /// Runs a session.
  func play(_ order: Simulation.Order) throws(SimulationError) -> Simulation.Result {
    var simulation = Simulation(installed, root, signals)
    simulation.notice = notice
    let result = try simulation.run(order)
    if case .dismissed(let dismissal) = result.report.record.outcome, dismissal.by == .hostStopped {
      throw .stopped
    }
    return result
  }

  /// A session in which a script is played.
  func order(
    _ text: String,
    _ watchdog: SessionRequest.WatchdogTime = .off
  ) throws(SimulationError) -> Simulation.Order {
    let script: SessionScript
    do throws(ScriptError) { script = try SessionScript(text, name: "check") } catch { throw .script(error) }
    var order = Simulation.Order(script, camera: camera)
    order.watchdog = watchdog
    order.grace = grace
    return order
  }
}
