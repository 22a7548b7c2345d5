// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyTrials
internal import SandboxLaunch
internal import SandboxPolicy
internal import SessionStore

extension HostileHost {
  /// Makes every attempt and prints a line of tab-separated fields for each: name, verdict, output of the
  /// probe.
  func run() throws {
    defer { shmctl(shmget(sharedMemory, 0, 0), IPC_RMID, nil) }
    let policy = try PolicyFinder.find(options.policy).policy
    let planner = LaunchPlanner(
      stateRoot: StateRoot(path: options.root),
      landlockABI: options.landlockABI ?? .max
    )
    if geteuid() == 0 {
      // Simulates a pool thread with a changed nice value; only root can restore it.
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 7)
    }
    let broker = try makeBroker()
    if let dumpable = options.dumpable { _ = darkroom_prctl(PR_SET_DUMPABLE, UInt(dumpable), 0, 0, 0) }
    let before = options.times > 1 ? try HeldResources.current() : nil
    if options.launcher == .reusedNetwork { try runNetworkDonor(planner, policy, broker) }
    for (number, attempt) in options.attempts.enumerated() {
      for _ in 1..<options.times { _ = try make(attempt, planner, policy, broker) }
      let result = try make(attempt, planner, policy, broker)
      printLine("\(attempt.name)\t\(result.verdict)\t\(result.text)")
      // From now on, the descriptors of a launch have higher numbers than those of the first launch.
      if number == 0 { Self.openInheritableDescriptors(options.descriptors) }
    }
    if options.dumpable != nil { printLine("host\tdumpable \(darkroom_prctl(PR_GET_DUMPABLE, 0, 0, 0, 0))") }
    if let before {
      let after = try HeldResources.afterCleanup()
      printLine(
        "left\tdescriptors \(after.descriptors - before.descriptors)\tmounts \(after.mounts.subtracting(before.mounts).count)"
      )
      printLine("left\tchildren \(waitpid(-1, nil, WNOHANG) == -1 ? 0 : 1)")
    }
  }

  private func makeBroker() throws -> LaunchBroker? {
    switch options.launcher {
    case .direct: return nil
    case .broker: return try LaunchBroker()
    case .reusedNetwork:
      // A broker that never prepares a session, which runs until this process exits.
      let broker = try LaunchBroker(delay: .max)
      _ = Unmanaged.passRetained(broker)
      return broker
    }
  }

  /// Runs a first session that leaves its network for reuse.
  private func runNetworkDonor(_ planner: LaunchPlanner, _ policy: ResolvedPolicy, _ broker: LaunchBroker?)
    throws
  {
    var donorOptions = options
    donorOptions.extent = .whole
    donorOptions.output = .collected
    donorOptions.without = []
    let host = HostileHost(self, with: donorOptions)
    _ = try host.make(ProbeOptions.Attempt(name: "exit", argument: "0"), planner, policy, broker)
  }

  /// Makes one attempt in its own sandbox.
  private func make(
    _ attempt: ProbeOptions.Attempt,
    _ planner: LaunchPlanner,
    _ policy: ResolvedPolicy,
    _ broker: LaunchBroker?
  ) throws -> (verdict: String, text: String) {
    let id = SessionID.random()
    let identity = options.mode == .restricted ? .restricted : SessionIdentity.forOneSession()
    let content = try makeContent(id, identity)
    defer { try? FileSystem.removeTree("\(options.root)/sessions/\(id)") }
    let output = try Pipe.make()
    let passed = options.output == .passed ? 1 : output.writeEnd.rawValue
    let subject = LaunchTarget(
      program: .file(options.probe),
      arguments: [attempt.name],
      environment: [],
      policy: policy,
      readOnly: options.readOnly
    )
    if identity == .restricted {
      try SandboxPaths.hostPaths(content: content, program: subject.program).make(context: [0x7B, 0x7D])
    }
    var plan = try planner.plan(
      subject,
      .init(
        id: id,
        files: .init(content: content),
        context: [0x7B, 0x7D],
        standard: [terminal, passed, passed],
        named: [],
        identity: identity
      )
    )
    let facts = facts(plan, content: content)
    if let exposed = options.exposed { plan.expose(exposed) }
    for protection in options.without { plan.remove(protection) }
    if options.without.contains(.descriptors) { plan.descriptors += leaked }
    if options.without.contains(.newNetwork) { plan.isolation.network = .reused }
    plan.program.arguments.append(AttemptArgument.substitute(attempt.argument, with: facts))
    var process = try launch(plan, broker)
    let refusing = try answerRefusals(process.takeRefusals())
    if options.output == .passed { printLine("init \(process.processID)") }
    let readEnd = output.takeReadEnd()
    let text = String(decoding: try readEnd.readAll(limit: 1 << 20) ?? [], as: UTF8.self)
    let verdict = Self.verdict(try process.reap().status)
    refusing?.join()
    return (verdict, text.split(separator: "\n").joined(separator: " "))
  }

  /// Returns the write end of a full pipe, on which a writer blocks.
  private static func fullPipe() throws -> Int32 {
    let pipe = try Pipe.make()
    // The corresponding command is F_SETPIPE_SZ: one page.
    _ = darkroom_fcntl(pipe.writeEnd.rawValue, 1031, 4096)
    try pipe.writeEnd.writeAll([UInt8](repeating: 0, count: 4096))
    _ = dup(pipe.readEnd.rawValue)
    return dup(pipe.writeEnd.rawValue)
  }

  /// Creates the session directory for an identity.
  private func makeContent(_ id: SessionID, _ identity: LaunchPlan.Identity) throws -> String {
    let content = "\(options.root)/sessions/\(id)/content"
    try FileSystem.makeDirectories(content)
    // A symbolic link that a compromised earlier session could have left.
    symlink(secret, "\(content)/earlier")
    if case .other(let user, let group) = identity { chown(content, user, group) }
    return content
  }

  /// Launches a plan; a broker launches only what it has prepared.
  private func launch(_ plan: LaunchPlan, _ broker: LaunchBroker?) throws -> SandboxedProcess {
    var plan = plan
    if options.extent == .held {
      plan.limits.controlGroup = try Self.fullPipe()
      printLine("held")
    }
    guard let broker else { return try SandboxLauncher.launch(plan) }
    if options.launcher == .reusedNetwork { return try broker.launch(plan) }
    // Mounts by other processes discard the prepared session, even just before the launch.
    for _ in 0..<5 {
      for _ in 0..<20 { if broker.prepare(plan) { break } }
      let uses = broker.uses
      let process = try broker.launch(plan)
      if broker.uses == uses + 1 { return process }
      try process.kill()
      _ = try process.reap()
    }
    printLine("launched without the broker")
    return try broker.launch(plan)
  }

  /// Starts to answer refused calls, unless the listener must be closed: then it is closed on return.
  private func answerRefusals(_ listener: consuming RefusalListener?) throws -> PlainThread? {
    options.without.contains(.listening) ? nil : try listener?.refuseAll()
  }

  private static func verdict(_ status: ExitStatus) -> String {
    switch status {
    case .exited(0): "succeeded"
    case .exited(10): "refused"
    case .exited(11): "untried"
    case .exited(let code): "exited \(code)"
    case .signaled(let signal): "\(signal)"
    }
  }
}

/// Resources of this process that a launch could leak.
private struct HeldResources {
  /// The number of open descriptors.
  var descriptors: Int
  /// The lines of the mount table. Only new lines count: other processes may remove old ones.
  var mounts: Set<Substring>

  /// Returns the resources after the host has released the last session in the background.
  static func afterCleanup() throws -> HeldResources {
    for _ in 0..<6000 {
      let held = try FileSystem.names(in: "/proc/self/fd").contains { name in
        (try? FileSystem.linkTarget("/proc/self/fd/\(name)"))?.hasPrefix("mnt:") == true
      }
      if !held { break }
      usleep(10_000)
    }
    return try current()
  }

  /// Returns the current resources.
  static func current() throws -> HeldResources {
    let table = String(
      decoding: try FileSystem.contents("/proc/self/mountinfo", limit: 1 << 20) ?? [],
      as: UTF8.self
    )
    return HeldResources(
      descriptors: try FileSystem.names(in: "/proc/self/fd").count,
      mounts: Set(table.split(separator: "\n"))
    )
  }
}

extension HostileHost {
  /// Returns the values of the names in braces for a plan with all protections.
  func facts(_ plan: LaunchPlan, content: String) -> [String: String] {
    let own = [
      "secret": secret, "root": options.root, "content": content,
      "container": "\(FileSystem.directoryName(content))/container", "port": "\(port)",
      "abstract": abstractName, "socket": socketPath, "memory": "\(sharedMemory)", "shown": Self.shown,
    ]
    return AttemptArgument.facts(of: plan).merging(own) { _, own in own }
  }
}
