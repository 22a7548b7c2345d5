// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SandboxEnforcement
internal import SandboxLaunch
internal import SandboxPolicy
internal import SessionStore

/// Plans sessions without namespaces (restricted mode).
extension LaunchPlanner {
  /// Returns the policy as restricted mode enforces it on this machine.
  func restricted(_ policy: ResolvedPolicy) -> ResolvedPolicy {
    policy.restricted(signalsAreScoped: landlockABI >= RestrictedMode.scopingLandlockABI)
  }

  /// Throws unless the machine can deny a session without namespaces everything that the policy requires.
  private func checkRestrictedMode(_ policy: ResolvedPolicy, isLearning: Bool) throws(PlanError) {
    let required = RestrictedMode.requiredLandlockABI(of: policy)
    if let refusal = RestrictedMode.refusal(
      isPrivileged: user == 0 && isAdministrator,
      landlockABI: landlockABI,
      required: required
    ) {
      throw .restrictedModeUnavailable(refusal)
    }
    // Without namespaces, calls that a learning session lets through would affect the user's other processes
    // and files.
    if isLearning { throw .learningUnavailable }
    let unaccepted = DenialMechanisms.unaccepted(by: policy, landlockABI: landlockABI)
    if !unaccepted.isEmpty { throw .restrictedModeUnavailable(.singleMechanism(unaccepted)) }
  }

  /// Returns the plan of a launch without namespaces. The files of ``SandboxPaths/make(context:)`` must exist.
  func restrictedPlan(_ subject: LaunchTarget, _ session: Session) throws(PlanError) -> LaunchPlan {
    try checkRestrictedMode(subject.policy, isLearning: session.learning != nil)
    let policy = restricted(subject.policy)
    let paths = SandboxPaths.hostPaths(
      content: session.files.content,
      assets: session.files.assets,
      program: subject.program
    )
    let filter = try filters.filter(for: policy, .reported)
    let environment = try SessionEnvironment.variables(
      session: session.id.description,
      paths: paths,
      assets: paths.assets,
      descriptors: session.named.map(\.name),
      wanted: subject.environment
    )
    var plan = LaunchPlan(
      identity: .restricted,
      isolation: .init(namespaces: [], hostname: "", mountTable: .shown),
      files: .init(.single([])),
      descriptors: session.standard + session.named.map(\.descriptor),
      limits: .init(
        try Self.restrictedLimits(
          policy.limits,
          growth: Self.initialFileSizeLimit(policy, maximumBytes: session.maximumBytes)
        )
      ),
      restrictions: Self.restrictions(
        try restrictedLandlock(subject, session, paths),
        filter.instructions,
        .reported
      ),
      program: Self.program(subject, at: subject.program.hostPath, environment, in: paths.session)
    )
    plan.restrictions.socketFilter = SocketFilter.program
    plan.session = session.id.description
    if !session.named.isEmpty { plan.program.processVariable = DescriptorVariable.processID.rawValue }
    return plan
  }

  /// Returns the resource limits in restricted mode.
  ///
  /// The kernel counts all processes and threads of a user together, and the session runs with the caller's
  /// UID. So the limit is the policy's number plus the number of tasks that run now. Once the sum is reached,
  /// fork(2) fails for the session and for the user's other processes.
  private static func restrictedLimits(
    _ limits: PolicyLimits,
    growth: Int
  ) throws(PlanError) -> [LaunchPlan.ResourceLimit] {
    let processes: UInt64
    do {
      let wanted = UInt64(try UserTasks.count() + limits.processes)
      processes = min(wanted, try UserTasks.hardLimit() ?? wanted)
    } catch { throw .path(error) }
    return Self.limits(limits, growth: growth)
      .map { $0.resource == .processes ? .init(.processes, processes) : $0 }
  }

  /// Returns a Landlock ruleset that grants the same access to files as the root of other sessions.
  private func restrictedLandlock(
    _ subject: LaunchTarget,
    _ session: Session,
    _ paths: SandboxPaths
  ) throws(PlanError) -> LandlockRuleset {
    let abi = landlockABI
    var shown: [LandlockRuleset.Rule] = []
    for path in subject.policy.readOnly {
      if let rule = try policyRule(path.path, path.presence) { shown.append(rule) }
    }
    for path in subject.readOnly {
      try refuseForbidden(path)
      shown.append(try readOnlyRule(path))
    }
    shown += subject.policy.devices.map {
      .init(path: $0.value, access: LandlockRights.device(abi: abi).rawValue)
    }
    var own: [LandlockRuleset.Rule] = [
      .init(path: paths.session, access: LandlockRights.session(abi: abi).rawValue),
      .init(path: paths.container, access: LandlockRights.scratch(abi: abi).rawValue),
      .init(path: paths.context, access: LandlockRights.readFile.rawValue),
    ]
    switch subject.program {
    case .bundled(let directory, _): own.append(try readOnlyRule(directory))
    case .file(let path): own.append(try readOnlyRule(path))
    case .shown: break
    }
    // The kernel refuses a rule for a missing path.
    let sharedFiles = [session.files.library == nil ? nil : paths.library, paths.assets].compactMap { $0 }
    own += sharedFiles.map {
      .init(path: $0, access: LandlockRights.readFile.union(.readDirectory).rawValue)
    }
    return LandlockRuleset(
      files: LandlockRights.all(abi: abi).rawValue,
      network: LandlockNetworkRights.all(abi: abi).rawValue,
      scopes: LandlockScopes.all(abi: abi).rawValue,
      rules: shown + own,
      // It contains the group containers, the other sessions and the containers of all apps.
      deniedDirectory: stateRoot,
      stateRootRules: StateRootRules.rules(covering: shown, stateRoot: stateRoot, abi: abi) + own
    )
  }

  /// Returns the rule for a path of the policy, or `nil` if the path is optional and missing.
  private func policyRule(
    _ path: String,
    _ presence: ReadOnlyPath.Presence
  ) throws(PlanError) -> LandlockRuleset.Rule? {
    let status: FileStatus?
    do { status = try FileSystem.status(path) } catch { throw .path(error) }
    guard status != nil else {
      if presence == .optional { return nil }
      throw .missingPath(path)
    }
    // Without mounts, the state root cannot be hidden below a shown path.
    try refuseStateRoot(path)
    return try readOnlyRule(path)
  }

  /// Returns the rule for reading and executing a file, or a directory with its contents.
  private func readOnlyRule(_ path: String) throws(PlanError) -> LandlockRuleset.Rule {
    let kind: FileStatus.Kind
    do { kind = try FileSystem.open(path, .path).status().kind } catch { throw .path(error) }
    var rights = LandlockRights.readOnly(abi: landlockABI)
    if kind != .directory { rights.subtract(.readDirectory) }
    return LandlockRuleset.Rule(path: path, access: rights.rawValue)
  }
}
