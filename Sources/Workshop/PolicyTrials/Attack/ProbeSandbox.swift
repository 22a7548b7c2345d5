// SPDX-License-Identifier: Apache-2.0

internal import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy
internal import SessionStore
internal import Synchronization

/// Makes attempts, each in a sandbox of its own.
struct ProbeSandbox: Sendable {
  /// The probe.
  let program: ProbeProgram
  /// The policy.
  let policy: ResolvedPolicy
  /// What is to be found.
  let bait: Bait
  /// Whom the probes are outside.
  private let identity = SessionIdentity.forOneSession()
  /// The maker of plans.
  private let planner: LaunchPlanner
  /// How long an attempt may take, in nanoseconds.
  private static let patience: UInt64 = 10_000_000_000
  /// How much of the probe's output is read.
  private static let outputLimit = 1 << 16

  /// Prepares for attempts.
  init(_ program: ProbeProgram, _ policy: ResolvedPolicy, _ bait: Bait) {
    self.program = program
    self.policy = policy
    self.bait = bait
    planner = LaunchPlanner(stateRoot: StateRoot(path: bait.root))
  }

  /// Makes an attempt, and again with the experiments that tell where its refusal came from.
  func attempt(_ attempt: Attempt) throws(AttackError) -> ProbeRun {
    var run = try once(attempt, nil)
    for experiment in AttemptVerdict.experiments(after: run) {
      let other = try once(attempt, experiment)
      let isDecisive: Bool =
        switch experiment {
        case .markedFilter: other.errno == "EBADFD"
        case .withoutLandlock: other.status != run.status || other.errno != run.errno
        }
      if isDecisive { run.decisive = experiment }
    }
    return run
  }

  /// What an attempt is given outside any sandbox: the same as inside.
  func outsideArguments(_ attempt: Attempt) throws(AttackError) -> [String] {
    let null = try Self.system { () throws(SystemCallError) in try FileSystem.open("/dev/null", .readWrite) }
    let plan = try plan(attempt, content: bait.root, SessionID.random(), null.rawValue)
    return [attempt.name, AttemptArgument.fill(attempt.argument, with: bait.facts(plan, content: bait.root))]
  }

  /// Makes an attempt once, perhaps with a change of the plan.
  private func once(_ attempt: Attempt, _ experiment: Experiment?) throws(AttackError) -> ProbeRun {
    let id = SessionID.random()
    let place = "\(bait.root)/sessions/\(id)"
    defer { try? FileSystem.removeTree(place) }
    try Self.system { () throws(SystemCallError) in
      try FileSystem.makeDirectories("\(place)/content")
      // As an earlier session would have left it, had it been able to.
      try FileSystem.makeSymbolicLink("\(place)/content/earlier", to: bait.secret)
      if let owner = identity.contentOwner {
        try FileSystem.open("\(place)/content", [.directory]).setOwner(owner.user, group: owner.group)
      }
    }
    let pipe = try Self.system { () throws(SystemCallError) in try Pipe.make() }
    var plan = try plan(attempt, content: "\(place)/content", id, pipe.writeEnd.rawValue)
    plan.arguments.append(
      AttemptArgument.fill(attempt.argument, with: bait.facts(plan, content: "\(place)/content"))
    )
    if let experiment { plan.change(for: experiment) }
    return try launch(plan, pipe)
  }

  /// Decides everything about one sandbox.
  private func plan(
    _ attempt: Attempt,
    content: String,
    _ id: SessionID,
    _ output: Int32
  ) throws(AttackError) -> LaunchPlan {
    do throws(PlanError) {
      return try planner.plan(
        LaunchSubject(
          program: .file(program.path),
          arguments: [attempt.name],
          environment: [],
          policy: policy
        ),
        .init(
          id: id,
          content: content,
          context: Array("null".utf8),
          standard: [bait.terminal.rawValue, output, output],
          named: [],
          identity: identity
        )
      )
    } catch { throw .plan(error) }
  }

  /// The host's copy of the end where bytes go in is closed as soon as the probe has its own.
  private func launch(_ plan: LaunchPlan, _ pipe: consuming Pipe) throws(AttackError) -> ProbeRun {
    do throws(SandboxLaunchError) {
      var process = try SandboxLauncher.launch(plan)
      let output = pipe.takeReadEnd()
      let calls = RefusedCalls()
      let refusals = process.takeRefusals()
      let listening = try? PlainThread.start(name: "refusals") { calls.note(refusals) }
      let ended = try? Self.follow(process, output)
      if ended?.isInTime != true { try? process.kill() }
      let status = try? process.reap().status
      listening?.join()
      return ProbeRun(
        status: ended?.isInTime == true ? status : nil,
        text: ended?.text ?? "",
        refusedCalls: calls.names
      )
    } catch { throw .launch(error) }
  }

  /// Reads what the probe says until the whole session has ended, or its time is up.
  private static func follow(
    _ process: borrowing SandboxedProcess,
    _ output: borrowing Descriptor
  ) throws(SystemCallError) -> (isInTime: Bool, text: String) {
    let deadline = MonotonicClock.now + patience
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16384, alignment: 16)
    defer { chunk.deallocate() }
    var watched = output.rawValue
    while true {
      // The extension's end ends the session, whatever it has started.
      let found = try Poller.wait(
        [(process.handle.descriptor.rawValue, .readable), (watched, .readable)],
        until: deadline
      )
      if !found[1].isEmpty {
        if case .bytes(let count) = try output.read(into: chunk) {
          if bytes.count < outputLimit { bytes += chunk[..<count] }
          if MonotonicClock.now < deadline { continue }
        } else {
          watched = -1
          continue
        }
      }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      return (found[0].contains(.readable), lines.joined(separator: " "))
    }
  }

  /// Does something with the system; what goes wrong ends the battery.
  private static func system<Result: ~Copyable>(
    _ body: () throws(SystemCallError) -> Result
  ) throws(AttackError) -> Result {
    do { return try body() } catch { throw .system(error) }
  }
}

/// The calls that the filter of one session refuses, as the kernel reports them.
private final class RefusedCalls: Sendable {
  /// Written by the thread that listens.
  private let found = Mutex<[String]>([])

  /// The names, each once.
  var names: [String] { found.withLock { $0 } }

  /// Refuses and notes until no process of the session is left.
  func note(_ listener: RefusalListener?) {
    try? listener?.serve { _ in
    } _: { call, _ in
      let name = SystemCallTable.native.names[call.number] ?? "\(call.number)"
      self.found.withLock { if $0.count < 16, !$0.contains(name) { $0.append(name) } }
    }
  }
}
