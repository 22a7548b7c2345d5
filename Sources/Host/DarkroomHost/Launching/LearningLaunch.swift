// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import LaunchPlanning
package import SandboxEnforcement
package import SandboxPolicy
internal import SessionServices

/// A session whose filter allows the calls that a policy could allow, and records them.
package struct LearningLaunch<Preparation: Sendable>: Sendable {
  /// The session.
  package let session: HostedSession
  /// The result of the preparation before the program was started.
  package let preparation: Preparation
  private let outcome: WatchedValue<SessionReport?>

  /// The report with the recorded calls, after the end of the session.
  package var report: SessionReport? { outcome.current }

  fileprivate init(
    _ session: HostedSession,
    _ preparation: Preparation,
    _ outcome: WatchedValue<SessionReport?>
  ) {
    (self.session, self.preparation, self.outcome) = (session, preparation, outcome)
  }
}

extension DarkroomHost {
  /// Launches an installed extension to record its calls. Returns when its program was started in its sandbox.
  ///
  /// `prepare` receives the policy of the extension and its digest before the program is started, and can
  /// prevent the launch.
  package func launch<Preparation: Sendable>(
    _ extensionID: String,
    _ options: LaunchOptions,
    learning scope: LearningScope,
    prepare: @escaping @Sendable (ResolvedPolicy, String) throws(HostError) -> Preparation
  ) async throws(HostError) -> LearningLaunch<Preparation> {
    let launching = launching
    let preparation = WatchedValue<Preparation?>(nil)
    let outcome = WatchedValue<SessionReport?>(nil)
    let session = try await start { (run, core) throws(HostError) in
      let hold = try launching.hold(extensionID)
      var request = try launching.request(hold.extension, options) { core.add(.notice($0)) }
      request.learning = scope
      let prepared = try prepare(request.subject.policy, request.extension.policyDigest)
      preparation.change { $0 = prepared }
      let report = try run(request)
      outcome.change { $0 = report }
      _ = consume hold
      return report
    }
    guard let prepared = preparation.current else { throw .cancelled }
    return LearningLaunch(session, prepared, outcome)
  }
}
