// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
package import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch
package import SandboxPolicy
package import SessionStore

/// The result of a trial: running a program of the system under a policy.
package struct PolicyTrial: Sendable, Hashable {
  /// The obstacles. There can be several if the trial was able to continue.
  package var obstacles: [LaunchObstacle] = []
  /// The layers as the record of a session would name them, or `nil` if no sandbox was made.
  package var layers: [SessionRecord.Layer]?
  /// The mechanisms as the record of a session would name them; empty for a sandbox with namespaces.
  package var denials: [SessionRecord.Denial] = []
  /// The reason why the sandbox was restricted (created without namespaces), or `nil` if it has namespaces.
  package var restriction: LaunchObstacle?
  /// The fixes for a sandbox that had no control group.
  package var controlGroupFixes: [Fix] = []
  /// The reason why the program itself failed although every layer was enforced, or `nil` if it succeeded.
  package var programFault: String?

  /// Creates a trial without results.
  package init() {}
}

extension PolicyTrial {
  /// The app context of the trial.
  private static let context = Array("null".utf8)
  /// The program that is run. It does nothing, and exists on every system.
  private static let program = "/usr/bin/true"
  /// The origin of limits that the trial lowered.
  private static let origin = PolicyOrigin(source: "this machine", position: .init(line: 1, column: 1))
  /// The time limit of the program, in nanoseconds.
  private static let timeout: UInt64 = 10_000_000_000

  /// Creates a sandbox and runs the program. Demands of the policy that cannot be met are recorded and
  /// removed, so that one trial finds all of them.
  package static func run(_ policy: ResolvedPolicy) -> PolicyTrial {
    let place = "/tmp/darkroom-doctor-\(Randomness.hexadecimal(bytes: 8))"
    defer { try? FileSystem.removeTree(place) }
    let identity = SessionIdentity.forOneSession()
    var trial = PolicyTrial()
    do throws(SystemCallError) {
      try FileSystem.makeDirectories(content(place))
      if let owner = identity.contentOwner {
        try FileSystem.open(content(place), [.directory]).setOwner(owner.user, group: owner.group)
      }
    } catch {
      trial.obstacles.append(.host(error))
      return trial
    }
    var policy = policy
    // Each round removes one demand, and no policy has more demands (paths, layers and limits) than this.
    var rounds = 64
    while rounds > 0, trial.attempt(&policy, identity, in: place) { rounds -= 1 }
    return trial
  }

  /// Makes one attempt. Returns whether a demand of the policy was removed, so that another attempt can find
  /// more.
  private mutating func attempt(
    _ policy: inout ResolvedPolicy,
    _ identity: LaunchPlan.Identity,
    in place: String
  ) -> Bool {
    do throws(PlanError) {
      try launch(policy, identity, in: place)
      return false
    } catch {
      obstacles.append(.plan(error))
      return Self.relax(&policy, error)
    }
  }

  /// Opens the standard input and output of the program.
  private static func null() throws(PlanError) -> Descriptor {
    do { return try FileSystem.open("/dev/null", .readWrite) } catch { throw .path(error) }
  }

  /// Returns the content directory of the trial.
  private static func content(_ place: String) -> String { "\(place)/content" }

  /// Returns the program, by its path if the policy exposes that path.
  private static func shownProgram(_ policy: ResolvedPolicy) -> LaunchTarget.Program {
    policy.readOnly.contains { $0.path == "/usr" || $0.path == "/usr/bin" } ? .shown(program) : .file(program)
  }

  /// Returns the launch plan of the trial.
  private static func plan(
    _ policy: ResolvedPolicy,
    _ identity: LaunchPlan.Identity,
    in place: String,
    _ null: Int32,
    _ planner: LaunchPlanner,
    _ id: SessionID
  ) throws(PlanError) -> LaunchPlan {
    try planner.plan(
      LaunchTarget(program: shownProgram(policy), arguments: [], environment: [], policy: policy),
      .init(
        id: id,
        files: .init(content: content(place)),
        context: context,
        standard: [null, null, null],
        named: [],
        identity: identity
      )
    )
  }

  /// Removes an unmet demand from a policy. Returns whether that was possible.
  private static func relax(_ policy: inout ResolvedPolicy, _ error: PlanError) -> Bool {
    switch error {
    case .missingPath(let path):
      policy.readOnly.removeAll { $0.path == path }
      return true
    case .missingLayer(let layer): return policy.bestEffort.insert(layer).inserted
    case .restrictedModeUnavailable(.singleMechanism(let denials)):
      policy.acceptSingleMechanism.formUnion(denials.map(\.access))
      return true
    case .limitAboveHost(let name, _, let most):
      policy.limits.set(name, Sourced(Int(clamping: most), Self.origin))
      return true
    default: return false
    }
  }

  /// Launches the program in a sandbox.
  private mutating func launch(
    _ policy: ResolvedPolicy,
    _ identity: LaunchPlan.Identity,
    in place: String
  ) throws(PlanError) {
    let null = try Self.null()
    let planner = LaunchPlanner(stateRoot: StateRoot(path: place))
    let id = SessionID.random()
    let bounds = ProcessTreeLimits.make(for: id, policy.limits, planner.mounts)
    // The control group is removed with `bounds`, which must outlive the program.
    defer { extendLifetime(bounds) }
    controlGroupFixes = bounds.fixes
    var plan = try Self.plan(policy, identity, in: place, null.rawValue, planner, id)
    plan.limits.controlGroup = bounds.members
    guard let refusal = execute(&plan, bounds.layer) else { return }
    guard let failure = policy.restriction(after: refusal) else { return note(refusal, plan, bounds.layer) }
    do throws(SystemCallError) {
      try SandboxPaths.hostPaths(content: Self.content(place), program: Self.shownProgram(policy))
        .make(context: Self.context)
    } catch { throw .path(error) }
    plan = try Self.plan(policy, .restricted, in: place, null.rawValue, planner, id)
    plan.limits.controlGroup = bounds.members
    restriction = LaunchObstacle(.child(failure))
    if let refusal = execute(&plan, bounds.layer, failure) { note(refusal, plan, bounds.layer) }
  }

  /// Creates the sandbox as a session does, and waits for the program. Returns the error if there is no
  /// sandbox, or `nil`.
  private mutating func execute(
    _ plan: inout LaunchPlan,
    _ group: SessionRecord.Layer,
    _ failure: LaunchFailure? = nil
  ) -> SandboxLaunchError? {
    do throws(SandboxLaunchError) {
      var process: SandboxedProcess
      do throws(SandboxLaunchError) { process = try SandboxLauncher.launch(plan) } catch {
        guard plan.fallBack(after: error) else { throw error }
        process = try SandboxLauncher.launch(plan)
      }
      let enforcement = failure.map { plan.enforcement.addingReason($0) } ?? plan.enforcement
      layers = enforcement.adding(process, group).layers
      denials = enforcement.denials
      // A refused call must not block on a listener that is not served.
      _ = try? process.takeRefusals()?.refuseAll()
      programFault = try? Self.fault(process)
      return nil
    } catch { return error }
  }

  /// Records a failed launch. A failure of the program itself means that every layer was enforced.
  private mutating func note(_ error: SandboxLaunchError, _ plan: LaunchPlan, _ group: SessionRecord.Layer) {
    guard case .child(let failure) = error, failure.isProgramFailure else {
      obstacles.append(LaunchObstacle(error))
      return
    }
    layers = plan.enforcement.layers + [group]
    programFault = "\(failure.errno)"
  }

  /// Waits for the end of the program, within the time limit. Returns the reason if it failed, or `nil`.
  private static func fault(_ process: consuming SandboxedProcess) throws(SystemCallError) -> String? {
    let ready = try Poller.wait(
      [(process.handle.descriptor.rawValue, .readable)],
      until: MonotonicClock.now + timeout
    )
    guard ready.first?.contains(.readable) == true else {
      try process.kill()
      _ = try process.reap()
      return "it did not exit within \(timeout / 1_000_000_000) seconds"
    }
    let status = try process.reap().status
    switch status {
    case .exited(0): return nil
    case .exited(let code): return "it exited with code \(code)"
    case .signaled(let signal): return "it was terminated by \(signal)"
    }
  }
}
