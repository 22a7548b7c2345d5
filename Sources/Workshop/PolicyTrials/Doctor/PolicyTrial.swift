// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
package import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch
package import SandboxPolicy
package import SessionStore

/// What came of trying to run a program of the system under a policy.
package struct PolicyTrial: Sendable, Hashable {
  /// What stood in the way. Where the trial could go on without it, there can be several.
  package var obstacles: [Obstacle] = []
  /// The layers as the record of a session would name them, or `nil` if no sandbox was made.
  package var layers: [SessionRecord.Layer]?
  /// The reason why the sandbox was restricted, that is made without namespaces, or `nil` if it has namespaces.
  package var restriction: Obstacle?
  /// The fixes for a sandbox that had no control group.
  package var controlGroupMends: [Mend] = []
  /// Why the program itself did not do its work, although every layer was there; nil: it did.
  package var programFault: String?

  /// A trial that has not begun.
  package init() {}
}

extension PolicyTrial {
  /// The app context of the trial.
  private static let context = Array("null".utf8)
  /// The program that is run: it does nothing, and is on every system.
  private static let program = "/usr/bin/true"
  /// Where a limit comes from that the trial has lowered.
  private static let origin = PolicyOrigin(source: "this machine", position: .init(line: 1, column: 1))
  /// How long it may take.
  private static let patience: UInt64 = 10_000_000_000

  /// Makes a sandbox and runs the program. What a policy demands in vain is noted and left out, so that one trial
  /// finds everything.
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
    // Each round takes one demand out; there are no more demands than paths, layers and limits.
    var rounds = 64
    while rounds > 0, trial.attempt(&policy, identity, in: place) { rounds -= 1 }
    return trial
  }

  /// One attempt. Returns whether the policy was eased, so that another one can tell more.
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
      return Self.ease(&policy, error)
    }
  }

  /// What the program reads and writes.
  private static func null() throws(PlanError) -> Descriptor {
    do { return try FileSystem.open("/dev/null", .readWrite) } catch { throw .path(error) }
  }

  /// The content directory of the trial.
  private static func content(_ place: String) -> String { "\(place)/content" }

  /// The program, by the name that the policy shows it under.
  private static func shownProgram(_ policy: ResolvedPolicy) -> LaunchSubject.Program {
    policy.readOnly.contains { $0.path == "/usr" || $0.path == "/usr/bin" } ? .shown(program) : .file(program)
  }

  /// The plan of the trial.
  private static func plan(
    _ policy: ResolvedPolicy,
    _ identity: LaunchPlan.Identity,
    in place: String,
    _ null: Int32,
    _ planner: LaunchPlanner,
    _ id: SessionID
  ) throws(PlanError) -> LaunchPlan {
    try planner.plan(
      LaunchSubject(program: shownProgram(policy), arguments: [], environment: [], policy: policy),
      .init(
        id: id,
        content: content(place),
        context: context,
        standard: [null, null, null],
        named: [],
        identity: identity
      )
    )
  }

  /// Takes what cannot be had out of the policy.
  private static func ease(_ policy: inout ResolvedPolicy, _ error: PlanError) -> Bool {
    switch error {
    case .missingPath(let path):
      policy.readOnly.removeAll { $0.path == path }
      return true
    case .missingLayer(let layer): return policy.bestEffort.insert(layer).inserted
    case .limitAboveHost(let name, _, let most):
      policy.limits.set(name, Sourced(Int(clamping: most), Self.origin))
      return true
    default: return false
    }
  }

  /// Carries the plan out.
  private mutating func launch(
    _ policy: ResolvedPolicy,
    _ identity: LaunchPlan.Identity,
    in place: String
  ) throws(PlanError) {
    let null = try Self.null()
    let planner = LaunchPlanner(stateRoot: StateRoot(path: place))
    let id = SessionID.random()
    let bounds = TreeBounds.make(for: id, policy.limits, planner.mounts)
    // The group is removed with this value, and must not be before the program has ended.
    defer { extendLifetime(bounds) }
    controlGroupMends = bounds.mends
    var plan = try Self.plan(policy, identity, in: place, null.rawValue, planner, id)
    plan.controlGroup = bounds.members
    guard let refusal = carryOut(&plan, bounds.layer) else { return }
    guard let failure = policy.restriction(after: refusal) else { return note(refusal, plan, bounds.layer) }
    do throws(SystemCallError) {
      try InsidePaths.trueNames(content: Self.content(place), program: Self.shownProgram(policy))
        .make(context: Self.context)
    } catch { throw .path(error) }
    plan = try Self.plan(policy, .restricted, in: place, null.rawValue, planner, id)
    plan.controlGroup = bounds.members
    restriction = Obstacle(.child(failure))
    if let refusal = carryOut(&plan, bounds.layer, failure) { note(refusal, plan, bounds.layer) }
  }

  /// Makes the sandbox as a session does, and waits for the program. Returns the reason if there is no sandbox.
  private mutating func carryOut(
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
      let enforcement = failure.map { plan.enforcement.because($0) } ?? plan.enforcement
      layers = enforcement.adding(process, group).layers
      // Whatever the program's start tries in vain must not wait for somebody who listens.
      _ = try? process.takeRefusals()?.refuseAll()
      programFault = try? Self.fault(process)
      return nil
    } catch { return error }
  }

  /// Notes a failed launch. One that failed at the program itself had every layer.
  private mutating func note(_ error: SandboxLaunchError, _ plan: LaunchPlan, _ group: SessionRecord.Layer) {
    guard case .child(let failure) = error, failure.isOfProgram else {
      obstacles.append(Obstacle(error))
      return
    }
    layers = plan.enforcement.layers + [group]
    programFault = "\(failure.errno)"
  }

  /// Waits for the end of the program, which must not take for ever.
  private static func fault(_ process: consuming SandboxedProcess) throws(SystemCallError) -> String? {
    let ready = try Poller.wait(
      [(process.handle.descriptor.rawValue, .readable)],
      until: MonotonicClock.now + patience
    )
    guard ready.first?.contains(.readable) == true else {
      try process.kill()
      _ = try process.reap()
      return "it did not end within \(patience / 1_000_000_000) seconds"
    }
    let status = try process.reap().status
    switch status {
    case .exited(0): return nil
    case .exited(let code): return "it ended with exit code \(code)"
    case .signaled(let signal): return "\(signal) ended it"
    }
  }
}
