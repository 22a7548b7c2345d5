// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy
internal import SessionStore

/// A session with a started program and without a driver.
package struct StartedSession: ~Copyable {
  /// The processes of the session, with the properties of their launch.
  package var launch: SessionLaunch
  /// Answers and explains the refused calls.
  package let refusals: RefusalSupervisor?
  /// Records the calls of learning mode.
  let learning: LearningSupervisor?
  /// Measures the process tree.
  package let meter: TreeMeter
  /// Measures the unlinked files.
  package let nameless: NamelessMeter
  /// The enforced layers.
  let enforcement: SessionRecord.Enforcement

  /// Terminates a session that is not driven.
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
      // No process may be left that could write after the lock of the session is released.
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
