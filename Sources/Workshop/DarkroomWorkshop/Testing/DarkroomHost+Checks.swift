// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
public import DarkroomHost
internal import SessionSimulation

extension DarkroomHost {
  /// Checks whether an extension conforms to the requirements of a capture extension, under its own policy, as
  /// `darkroom test` does.
  ///
  /// Each check is a session in the real sandbox of the extension, in a temporary state directory, with a simulated
  /// environment. If the task is cancelled, the running session is dismissed.
  ///
  /// - Parameters:
  ///   - subject: The extension.
  ///   - options: The selection of the checks.
  ///   - didCheck: A closure that receives each result at once, on a thread of the host. All checks together take
  ///     some seconds.
  ///   - notice: A closure that receives messages for the user.
  ///
  /// - Returns: The results, in the order of the checks.
  ///
  /// - Throws: `HostError.argument` if no extension is found or no check is selected; or the reason why no session
  ///   can be run.
  public func check(
    _ subject: TestedExtension,
    _ options: ExtensionCheckOptions = ExtensionCheckOptions(),
    didCheck: @escaping @Sendable (ExtensionCheckResult) -> Void = { _ in },
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(HostError) -> [ExtensionCheckResult] {
    // Without this check, an empty list of checks would be reported as a success.
    guard !options.checks.isEmpty else {
      throw HostError(argument: "no check is selected; select a case of ExtensionCheck")
    }
    let root = stateRoot
    return try await HostThread.run { (signals: HostSignals) throws(HostError) in
      let (installed, state) = try subject.prepare(from: root, keptIn: nil)
      // The directory is removed with `state`, which must outlive the sessions.
      defer { extendLifetime(state) }
      var harness = ConformanceHarness(installed, state.root, signals)
      harness.grace = options.dismissalGrace.inSeconds
      harness.probePath = options.probe
      harness.notice = notice
      var results: [ExtensionCheckResult] = []
      for check in options.checks {
        guard let requirement = ConformanceCheck(rawValue: check.rawValue) else { continue }
        do throws(SimulationError) {
          let result = ExtensionCheckResult(check, try harness.verdict(requirement))
          results.append(result)
          didCheck(result)
        } catch { throw HostError(error) }
      }
      return results
    }
  }
}

extension ExtensionCheckResult {
  /// Creates a result from that of the conformance harness.
  fileprivate init(_ check: ExtensionCheck, _ verdict: ConformanceVerdict) {
    (self.check, reason) = (check, verdict.reason)
    switch verdict {
    case .passed: self.verdict = .passed
    case .failed(_, let fix): self.verdict = .failed(fix: fix)
    case .notApplicable: self.verdict = .notApplicable
    case .untried: self.verdict = .untried
    }
  }
}
