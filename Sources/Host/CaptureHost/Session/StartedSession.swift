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
  package let meter: ProcessTreeMeter
  /// Measures the unlinked files.
  package let unlinkedFiles: UnlinkedFileMeter
  /// The enforced layers.
  let enforcement: SessionRecord.Enforcement

  /// Terminates a session that is not driven.
  package consuming func terminate() {
    try? launch.process.kill()
    _ = try? launch.process.reap()
    _ = refusals?.finish()
    _ = learning?.finish()
  }
}

extension RunningSession {
  /// Starts the program in its sandbox.
  package func start(_ planner: LaunchPlanner, _ wiring: SessionWiring) throws -> StartedSession {
    let nameless = UnlinkedFileMeter(
      directory: FileSystem.directoryName(workspace.contentPath),
      given: wiring.standardDescriptors + wiring.namedDescriptors.map(\.descriptor),
      limits: request.subject.policy.limits
    )
    let bounds = ProcessTreeLimits.make(for: id, request.subject.policy.limits, planner.mounts)
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
    let meter = bounds.makeMeter(
      root: launch.process.processID,
      hasSockets: !launch.policy.rules(for: "socketpair").isEmpty
    )
    return StartedSession(
      launch: launch,
      refusals: refusals,
      learning: learning,
      meter: meter,
      unlinkedFiles: nameless,
      enforcement: enforcement
    )
  }
}
