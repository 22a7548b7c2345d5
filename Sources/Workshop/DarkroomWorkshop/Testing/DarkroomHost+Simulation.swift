// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
public import DarkroomHost
internal import SessionSimulation
internal import SessionStore

extension DarkroomHost {
  /// Runs a session of an extension in its real sandbox with a simulated environment, as `darkroom simulate` does: the
  /// user, the lock, the permissions, the camera, the free space and the app context are those of the script.
  ///
  /// The session runs in a temporary state directory, needs no device, and has the same result on every machine. If
  /// the task is cancelled, the session is dismissed.
  ///
  /// - Parameters:
  ///   - subject: The extension.
  ///   - script: The script.
  ///   - options: The camera and the times of the session.
  ///   - notice: A closure that receives messages for the user.
  ///
  /// - Returns: The result of each expectation, and of the session. An expectation that was not met is not an error.
  ///
  /// - Throws: `HostError.argument` if no extension is found, or the frames of the camera differ each time; or the
  ///   reason why nothing was launched.
  public func simulate(
    _ subject: TestedExtension,
    _ script: SimulationScript,
    _ options: SimulationOptions = SimulationOptions(),
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(HostError) -> SimulationReport {
    let camera = options.camera.description
    guard Simulation.isRepeatable(camera) else {
      throw HostError(
        argument: "the frames of \(camera) differ each time; give an image, a video file or a pattern"
      )
    }
    let root = stateRoot
    return try await HostThread.run { (signals: HostSignals) throws(HostError) in
      let (installed, state) = try subject.prepare(from: root, keptIn: options.keptDirectory)
      // The directory is removed with `state`, which must outlive the sessions.
      defer { extendLifetime(state) }
      var order = Simulation.Configuration(script.script, camera: camera)
      order.grace = options.dismissalGrace.inSeconds
      if let time = options.watchdog?.inSeconds { order.watchdog = time > 0 ? .seconds(time) : .off }
      var simulation = Simulation(installed, state.root, signals)
      simulation.notice = notice
      do throws(SimulationError) {
        let result = try simulation.run(order)
        if result.report.record.outcome.isHostStopped { throw .stopped }
        return SimulationReport(result)
      } catch { throw HostError(error) }
    }
  }
}

extension SimulationReport {
  /// Creates a report from the result of a simulation.
  fileprivate init(_ result: Simulation.Result) {
    findings = result.findings.map { Finding($0) }
    session = SessionResult(result.report)
  }
}

extension SimulationReport.Finding {
  /// Creates a finding from the result of a line.
  fileprivate init(_ result: ScriptResult) {
    (line, text) = (result.line, result.text)
    time = result.time.map { .nanoseconds(Int64(clamping: $0)) }
    switch result.verdict {
    case .passed: verdict = .passed
    case .failed(let observation): verdict = .failed(observation)
    case .notReached(let reason): verdict = .notReached(reason)
    }
  }
}
