// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LaunchPlanning
internal import LinuxPrimitives
package import SandboxLaunch
internal import SandboxPolicy
internal import SessionStore

/// An extension that runs, and how it was launched.
package struct SessionLaunch: ~Copyable {
  /// The session's processes.
  package var process: SandboxedProcess
  /// The policy, by which refused calls are explained.
  let policy: ResolvedPolicy
  /// What was enforced.
  let enforcement: SessionRecord.Enforcement
  /// The plan of a session that has a root of its own; nil for a restricted one.
  let ownRoot: LaunchPlan?
  /// The names by which the extension knows what is its own.
  package let paths: InsidePaths
  /// When there was a plan, in ``MonotonicClock`` nanoseconds.
  let prepared: UInt64

  /// Begins to refuse what the filter refuses; the session cannot go on without.
  mutating func takeRefusals() throws(SystemCallError) -> RefusalSupervisor? {
    guard let listener = process.takeRefusals() else { return nil }
    let answers = ownRoot == nil ? nil : HostAnswers(policy)
    return try RefusalSupervisor.start(listener, policy: policy, answers: answers)
  }

  /// Begins to learn, where the plan says so.
  mutating func takeLearning() throws(SystemCallError) -> LearningSupervisor? {
    guard let listener = process.takeLearning() else { return nil }
    return try LearningSupervisor.start(listener, policy: policy)
  }
}

extension RunningSession {
  /// Launches the extension with namespaces; without, where this user can make none and the policy accepts that.
  package func launch(
    _ planner: LaunchPlanner,
    _ wiring: SessionWiring,
    _ controlGroup: Int32?
  ) throws -> SessionLaunch {
    let access = ShownAccess(identity)
    try access.check(request.subject)
    for notice in access.notices(request.subject) { request.notice(notice) }
    var plan = try planner.plan(request.subject, planned(wiring))
    plan.controlGroup = controlGroup
    plan.start = request.debugger == .awaited ? .stopped : .running
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
      // What is wrong with the journal is told instead of who has waited for it in vain.
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
    // Before anything is made for it.
    if request.learning != nil { throw PlanError.notLearned }
    let paths = InsidePaths.trueNames(
      content: contentPath,
      assets: assetsPath,
      program: request.subject.program
    )
    try paths.make(context: context.bytes())
    var plan = try planner.plan(request.subject, planned(wiring, .restricted))
    plan.controlGroup = controlGroup
    plan.start = request.debugger == .awaited ? .stopped : .running
    let prepared = MonotonicClock.now
    request.notice(
      "this session runs restricted, without namespaces (\(failure.cause)), as the policy "
        + "'\(request.subject.policy.name)' accepts; its record names what that lacks"
    )
    if request.debugger == .awaited,
      let notice = DebuggerAccess.here.restrictedNotice(user: CurrentProcess.effectiveUserID)
    {
      request.notice(notice)
    }
    wiring.camera.useHostsClock()
    wiring.sound?.useHostsClock()
    let process = try launch(&plan)
    return SessionLaunch(
      process: process,
      policy: request.subject.policy,
      enforcement: plan.enforcement.because(failure),
      ownRoot: nil,
      paths: paths,
      prepared: prepared
    )
  }
}
