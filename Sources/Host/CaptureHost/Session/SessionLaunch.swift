// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LaunchPlanning
internal import LinuxPrimitives
package import SandboxLaunch
internal import SandboxPolicy
internal import SessionStore

/// A launched extension, with the properties of its launch.
package struct SessionLaunch: ~Copyable {
  /// The processes of the session.
  package var process: SandboxedProcess
  /// The policy, by which refused calls are explained.
  let policy: ResolvedPolicy
  /// The enforced layers.
  let enforcement: SessionRecord.Enforcement
  /// The plan of a session with its own root, or `nil` for a restricted session.
  let ownRoot: LaunchPlan?
  /// The paths of the session's directories inside the sandbox.
  package let paths: SandboxPaths
  /// The time at which the plan was complete, in ``MonotonicClock`` nanoseconds.
  let prepared: UInt64

  /// Starts to answer refused calls. The session must not continue if this fails.
  mutating func takeRefusals() throws(SystemCallError) -> RefusalSupervisor? {
    guard let listener = process.takeRefusals() else { return nil }
    let answers = ownRoot == nil ? nil : HostAnswers(policy)
    return try RefusalSupervisor.start(listener, policy: policy, answers: answers)
  }

  /// Starts learning mode if the plan requires it.
  mutating func takeLearning() throws(SystemCallError) -> LearningSupervisor? {
    guard let listener = process.takeLearning() else { return nil }
    return try LearningSupervisor.start(listener, policy: policy)
  }
}

extension RunningSession {
  /// Launches the extension with namespaces. If the user cannot create namespaces and the policy permits it,
  /// launches the extension without them.
  package func launch(
    _ planner: LaunchPlanner,
    _ wiring: SessionWiring,
    _ controlGroup: Int32?
  ) throws -> SessionLaunch {
    let access = ShownPathAccess(workspace.identity)
    try access.check(request.subject)
    for notice in access.notices(request.subject) { request.notice(notice) }
    var plan = try planner.plan(request.subject, plannerSession(wiring))
    plan.limits.controlGroup = controlGroup
    plan.program.start = request.debugger == .required ? .stopped : .running
    let prepared = MonotonicClock.now
    let failure: LaunchFailure
    do throws(SandboxLaunchError) {
      let process = try launch(&plan)
      return SessionLaunch(
        process: process,
        policy: request.subject.policy,
        enforcement: plan.enforcement,
        ownRoot: plan,
        paths: .ownRoot,
        prepared: prepared
      )
    } catch {
      // An error of the journal takes precedence over the failed launch that waited for it.
      try writing?.wait()
      guard let found = request.subject.policy.restriction(after: error) else { throw error }
      failure = found
    }
    return try launchRestricted(planner, wiring, controlGroup, failure)
  }

  private func launchRestricted(
    _ planner: LaunchPlanner,
    _ wiring: SessionWiring,
    _ controlGroup: Int32?,
    _ failure: LaunchFailure
  ) throws -> SessionLaunch {
    // Checked before anything is created for the launch.
    if request.learning != nil { throw PlanError.learningUnavailable }
    let paths = SandboxPaths.hostPaths(
      content: workspace.contentPath,
      assets: workspace.assetsPath,
      program: request.subject.program
    )
    try paths.make(context: context.bytes())
    var plan = try planner.plan(request.subject, plannerSession(wiring, .restricted))
    plan.limits.controlGroup = controlGroup
    plan.program.start = request.debugger == .required ? .stopped : .running
    let prepared = MonotonicClock.now
    request.notice(
      "this session runs restricted, without namespaces (\(failure.cause)), because the policy "
        + "'\(request.subject.policy.name)' permits it; the session record lists the missing layers and the remaining mechanisms"
    )
    if request.debugger == .required,
      let notice = DebuggerAccess.current.restrictedNotice(user: CurrentProcess.effectiveUserID)
    {
      request.notice(notice)
    }
    wiring.camera.useHostClock()
    wiring.sound?.useHostClock()
    let process = try launch(&plan)
    return SessionLaunch(
      process: process,
      policy: request.subject.policy,
      enforcement: plan.enforcement.addingReason(failure),
      ownRoot: nil,
      paths: paths,
      prepared: prepared
    )
  }
}
