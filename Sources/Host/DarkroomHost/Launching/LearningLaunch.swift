// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import LaunchPlanning
package import SandboxEnforcement
package import SandboxPolicy
internal import SessionServices

/// A session whose filter allows the calls that a policy could allow, and records them.
package struct LearningLaunch: Sendable {
  /// The session.
  package let session: HostedSession
  /// The policy of the extension.
  package let policy: ResolvedPolicy
  /// The digest of the policy.
  package let policyDigest: String
  private let outcome: WatchedValue<SessionReport?>

  /// The report with the recorded calls, after the end of the session.
  package var report: SessionReport? { outcome.current }

  /// The parts of a launch that are known before its session is started.
  fileprivate typealias Subject = (policy: ResolvedPolicy, digest: String)

  fileprivate init(_ session: HostedSession, _ subject: Subject, _ outcome: WatchedValue<SessionReport?>) {
    (self.session, policy, policyDigest) = (session, subject.policy, subject.digest)
    self.outcome = outcome
  }
}

extension DarkroomHost {
  /// Launches an installed extension to record its calls. Returns when its program was started in its sandbox.
  ///
  /// `check` receives the policy and its digest before the program is started, and can prevent the launch.
  package func launch(
    _ extensionID: String,
    _ options: LaunchOptions,
    learning scope: LearningScope,
    check: @escaping @Sendable (ResolvedPolicy, String) throws(HostError) -> Void
  ) async throws(HostError) -> LearningLaunch {
    let launching = launching
    let subject = WatchedValue<LearningLaunch.Subject?>(nil)
    let outcome = WatchedValue<SessionReport?>(nil)
    let session = try await start { (run, core) throws(HostError) in
      let hold = try launching.hold(extensionID)
      var request = try launching.request(hold.extension, options) { core.add(.notice($0)) }
      request.learning = scope
      let found = (request.subject.policy, request.extension.policyDigest)
      try check(found.0, found.1)
      subject.change { $0 = found }
      let report = try run(request)
      outcome.change { $0 = report }
      _ = consume hold
      return report
    }
    guard let subject = subject.current else { throw .cancelled }
    return LearningLaunch(session, subject, outcome)
  }
}
