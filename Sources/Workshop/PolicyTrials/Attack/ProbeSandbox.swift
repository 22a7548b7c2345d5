// SPDX-License-Identifier: Apache-2.0

internal import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy
internal import SessionStore
internal import Synchronization

/// Makes attempts, each in a separate sandbox.
struct ProbeSandbox: Sendable {
  let program: ProbeProgram
  /// The policy of the sandbox.
  let policy: ResolvedPolicy
  let decoys: DecoySet
  /// The identity of the probes outside their user namespace.
  private let identity = SessionIdentity.forOneSession()
  /// The planner of the launches.
  private let planner: LaunchPlanner
  /// Whether the sandboxes are restricted, which the first launch determines.
  private let mode = SandboxMode()
  /// The app context of an attempt.
  private static let context = Array("null".utf8)
  /// The time limit of an attempt, in nanoseconds.
  private static let timeout: UInt64 = 10_000_000_000
  /// The maximum number of bytes of the probe's output that are read.
  private static let outputLimit = 1 << 16

  /// Creates a sandbox for attempts.
  init(_ program: ProbeProgram, _ policy: ResolvedPolicy, _ bait: DecoySet) {
    self.program = program
    self.policy = policy
    self.decoys = bait
    planner = LaunchPlanner(stateRoot: StateRoot(path: bait.root))
  }

  /// Makes an attempt. If it is refused, repeats it with the experiments that show the cause.
  func attempt(_ attempt: Attempt) throws(AttackError) -> ProbeRun {
    var run = try runOnce(attempt, nil)
    for experiment in AttemptEvaluation.experiments(after: run) {
      let other = try runOnce(attempt, experiment)
      let isDecisive: Bool =
        switch experiment {
        case .markedFilter: other.errno == "EBADFD"
        case .withoutLandlock: other.status != run.status || other.errno != run.errno
        }
      if isDecisive { run.decisiveExperiment = experiment }
    }
    return run
  }

  /// The reason why the sandboxes have no namespaces, or `nil` if they have namespaces.
  var restriction: LaunchFailure? { mode.restriction }

  /// Returns the arguments of an attempt outside any sandbox, with the same values as inside.
  func outsideArguments(_ attempt: Attempt) throws(AttackError) -> [String] {
    let null = try Self.system { () throws(SystemCallError) in try FileSystem.open("/dev/null", .readWrite) }
    let plan = try plan(attempt, content: decoys.root, SessionID.random(), null.rawValue, identity)
    return [
      attempt.name,
      AttemptArgument.substitute(attempt.argument, with: decoys.facts(plan, content: decoys.root)),
    ]
  }

  /// Makes an attempt once, optionally with a change of the plan. If this machine refuses namespaces and the
  /// policy permits restricted sessions, this attempt and all later attempts are made in restricted sessions.
  private func runOnce(_ attempt: Attempt, _ experiment: Experiment?) throws(AttackError) -> ProbeRun {
    // Another thread can change the mode at any time.
    if mode.restriction == nil {
      do throws(AttackError) { return try launch(attempt, experiment, identity) } catch {
        guard case .launch(let refusal) = error, let failure = policy.restriction(after: refusal) else {
          throw error
        }
        mode.restrict(because: failure)
      }
    }
    // Without namespaces, only Landlock protects the files of the machine. The unchanged attempt has the same
    // result as before, so that it does not count as evidence.
    let isHarmful = experiment == .withoutLandlock && !attempt.isHarmlessOutside
    var run = try launch(attempt, isHarmful ? nil : experiment, .restricted)
    run.missingLayers = Set(RestrictedMode.missing.map(\.rawValue))
    return run
  }

  /// Makes an attempt in a new session directory, and removes the directory.
  // The compiler of Swift 6.2.3 crashes if it optimizes this use of a pipe.
  @_optimize(none)
  private func launch(
    _ attempt: Attempt,
    _ experiment: Experiment?,
    _ identity: LaunchPlan.Identity
  ) throws(AttackError) -> ProbeRun {
    let id = SessionID.random()
    let place = "\(decoys.root)/sessions/\(id)"
    defer { try? FileSystem.removeTree(place) }
    try prepare(place, identity)
    let pipe = try Self.system { () throws(SystemCallError) in try Pipe.make() }
    var plan = try plan(attempt, content: "\(place)/content", id, pipe.writeEnd.rawValue, identity)
    plan.program.arguments.append(
      AttemptArgument.substitute(attempt.argument, with: decoys.facts(plan, content: "\(place)/content"))
    )
    if let experiment { plan.change(for: experiment) }
    return try launch(plan, pipe)
  }

  /// Creates the files of a session.
  private func prepare(_ place: String, _ identity: LaunchPlan.Identity) throws(AttackError) {
    try Self.system { () throws(SystemCallError) in
      try FileSystem.makeDirectories("\(place)/content")
      // A symbolic link that an earlier session could have left, if that were possible.
      try FileSystem.makeSymbolicLink("\(place)/content/earlier", to: decoys.secret)
      if let owner = identity.contentOwner {
        try FileSystem.open("\(place)/content", [.directory]).setOwner(owner.user, group: owner.group)
      }
      if identity == .restricted {
        try SandboxPaths.hostPaths(content: "\(place)/content", program: .file(program.path))
          .make(context: Self.context)
      }
    }
  }

  /// Returns the launch plan of an attempt.
  private func plan(
    _ attempt: Attempt,
    content: String,
    _ id: SessionID,
    _ output: Int32,
    _ identity: LaunchPlan.Identity
  ) throws(AttackError) -> LaunchPlan {
    do throws(PlanError) {
      return try planner.plan(
        LaunchTarget(
          program: .file(program.path),
          arguments: [attempt.name],
          environment: [],
          policy: policy
        ),
        .init(
          id: id,
          files: .init(content: content),
          context: Self.context,
          standard: [decoys.terminal.rawValue, output, output],
          named: [],
          identity: identity
        )
      )
    } catch { throw .plan(error) }
  }

  /// Launches the probe and waits for its end. The host's copy of the pipe's write end is closed after the
  /// launch.
  private func launch(_ plan: LaunchPlan, _ pipe: consuming Pipe) throws(AttackError) -> ProbeRun {
    do throws(SandboxLaunchError) {
      var process = try SandboxLauncher.launch(plan)
      let output = pipe.takeReadEnd()
      let calls = RefusedCalls()
      let refusals = process.takeRefusals()
      let listening = try? PlainThread.start(name: "refusals") { calls.note(refusals) }
      let ended = try? Self.readOutput(process, output)
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

  /// Reads the output of the probe until the session has ended or its time limit has passed.
  private static func readOutput(
    _ process: borrowing SandboxedProcess,
    _ output: borrowing Descriptor
  ) throws(SystemCallError) -> (isInTime: Bool, text: String) {
    let deadline = MonotonicClock.now + timeout
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16384, alignment: 16)
    defer { chunk.deallocate() }
    var watched = output.rawValue
    while true {
      // The exit of the first process ends the session, including all processes that it started.
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

  /// Calls `body`, and converts an error of the system to one of the battery.
  private static func system<Result: ~Copyable>(
    _ body: () throws(SystemCallError) -> Result
  ) throws(AttackError) -> Result {
    do { return try body() } catch { throw .system(error) }
  }
}

/// Whether the sandboxes of a battery are restricted; shared by its threads.
private final class SandboxMode: Sendable {
  /// The failure that the lock guards.
  private let failure = Mutex<LaunchFailure?>(nil)

  /// The reason why the sandboxes have no namespaces, or `nil` if they have namespaces.
  var restriction: LaunchFailure? { failure.withLock { $0 } }

  /// Makes all later sandboxes without namespaces.
  func restrict(because reason: LaunchFailure) { failure.withLock { $0 = reason } }
}

/// The system calls that the filter of a session refuses, as the kernel reports them.
private final class RefusedCalls: Sendable {
  /// The names; the thread that serves the listener writes them.
  private let found = Mutex<[String]>([])

  /// The names, each once.
  var names: [String] { found.withLock { $0 } }

  /// Refuses calls and records them until no process of the session is left.
  func note(_ listener: RefusalListener?) {
    try? listener?.serve { _ in
    } _: { call, _ in
      let name = SystemCallTable.native.names[call.number] ?? "\(call.number)"
      self.found.withLock { if $0.count < 16, !$0.contains(name) { $0.append(name) } }
    }
  }
}
