// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy
internal import SessionStore

/// A session whose program has begun, and which nobody drives yet.
package struct StartedSession: ~Copyable {
  /// Its processes.
  package var launch: SessionLaunch
  /// Explains the calls that it is refused.
  package let refusals: RefusalSupervisor?
  /// Learns from its calls.
  let learning: LearningSupervisor?
  /// Measures its processes.
  package let meter: TreeMeter
  /// Measures what it keeps in files without a name.
  package let nameless: NamelessMeter
  /// What was enforced.
  let enforcement: SessionRecord.Enforcement

  /// Ends a session that nobody is going to drive.
  package consuming func end() {
    try? launch.process.kill()
    _ = try? launch.process.reap()
    _ = refusals?.finish()
    _ = learning?.finish()
  }
}

extension RunningSession {
  /// Starts the program in its sandbox.
  package func start(_ planner: LaunchPlanner, _ wiring: SessionWiring) throws -> StartedSession {
    let nameless = NamelessMeter(
      directory: FileSystem.directoryName(contentPath),
      given: wiring.standard + wiring.named.map(\.descriptor),
      limits: request.subject.policy.limits
    )
    let bounds = TreeBounds.make(for: id, request.subject.policy.limits, planner.mounts)
    var launch = try launch(planner, wiring, bounds.members)
    var refusals: RefusalSupervisor?
    let learning: LearningSupervisor?
    do {
      refusals = try launch.takeRefusals()
      learning = try launch.takeLearning()
      try wiring.startRelay()
    } catch {
      // Before the session's lock is let go, nobody must be left who could still write.
      try? launch.process.kill()
      _ = try? launch.process.reap()
      _ = refusals?.finish()
      throw error
    }
    wiring.closeExtensionEnds()
    let enforcement = launch.enforcement.adding(launch.process, bounds.layer)
    let meter = bounds.meter(
      root: launch.process.processID,
      hasSockets: !launch.policy.rules(for: "socketpair").isEmpty
    )
    return StartedSession(
      launch: launch,
      refusals: refusals,
      learning: learning,
      meter: meter,
      nameless: nameless,
      enforcement: enforcement
    )
  }
}
