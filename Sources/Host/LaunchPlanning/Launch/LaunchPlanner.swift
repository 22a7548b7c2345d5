// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import LinuxPrimitives
package import PolicyProof
package import SandboxEnforcement
package import SandboxLaunch
package import SandboxPolicy
package import SessionStore

/// Makes launch plans: reads the policy and the machine, and decides everything.
package struct LaunchPlanner: Sendable {
  /// What a session brings to its launch.
  package struct Session: Sendable {
    /// Its id.
    package var id: SessionID
    /// Its content directory on the host.
    package var content: String
    /// The directory on the host with what it is shown of the photo library; nil: it is shown an empty one.
    package var library: String?
    /// The directory on the host with what the app shares; nil: it shares nothing.
    package var assets: String?
    /// The app context as JSON text.
    package var context: [UInt8]
    /// The file on the host that has the context instead, once it is known; nil: it is known now.
    package var contextFile: String?
    /// Standard input, output and error of the extension.
    package var standard: [Int32]
    /// The descriptors from 3 on, with their names.
    package var named: [(name: InheritedDescriptor, descriptor: Int32)]
    /// Who the extension is outside.
    package var identity: LaunchPlan.Identity
    /// Its clocks; nil: the host's, which only a policy that calls them best effort accepts.
    package var clocks: SessionClocks?
    /// The most bytes that its directory may hold; nil: what the policy says.
    package var mostBytes: Int?
    /// Which of its calls are learned from; nil: none, and its filter is closed.
    package var learning: LearningScope?

    /// Makes a session.
    package init(
      id: SessionID,
      content: String,
      library: String? = nil,
      assets: String? = nil,
      context: [UInt8],
      standard: [Int32],
      named: [(name: InheritedDescriptor, descriptor: Int32)],
      identity: LaunchPlan.Identity,
      clocks: SessionClocks? = SessionClocks.areSupported ? .beginningNow() : nil
    ) {
      self.id = id
      self.content = content
      self.library = library
      self.assets = assets
      self.context = context
      self.standard = standard
      self.named = named
      self.identity = identity
      self.clocks = clocks
    }
  }

  let stateRoot: String
  let landlockABI: Int
  let user: UInt32
  package let mounts = MountTable()
  let roots = KnownRoots()
  let filters: ProvedFilters

  /// Looks at the machine once; a version of Landlock's interface that is older than the kernel's can be asked for,
  /// plans for another user than the caller can be looked at, and filters can be asked to keep more invariants.
  package init(
    stateRoot: StateRoot,
    landlockABI: Int = LandlockSupport.abi,
    user: UInt32 = CurrentProcess.effectiveUserID,
    invariants: [Invariant] = []
  ) {
    self.stateRoot = stateRoot.path
    filters = ProvedFilters(stateRoot: stateRoot.path, additional: invariants)
    self.user = user
    self.landlockABI = min(landlockABI, LandlockSupport.abi)
  }

  /// Decides everything about one launch.
  package func plan(_ subject: LaunchSubject, _ session: Session) throws(PlanError) -> LaunchPlan {
    try StandardStreams.check(session.standard)
    try StandardStreams.checkSockets(session.standard + session.named.map(\.descriptor))
    if session.identity == .restricted { return try restrictedPlan(subject, session) }
    let policy = subject.policy
    if session.clocks == nil, !policy.bestEffort.contains(.timeNamespace) {
      throw .missingLayer(.timeNamespace)
    }
    if landlockABI <= 0, !policy.bestEffort.contains(.landlock) { throw .missingLayer(.landlock) }
    let root = try root(subject, session)
    let reports = session.learning.map(LaunchPlan.RefusalReports.learned) ?? .reported
    let filter = try filters.filter(for: policy, reports)
    let execution: LaunchPlan.Execution =
      policy.execute == .once ? .once(descriptor: Int32(policy.limits.descriptors)) : .path
    // Each by itself: all in one expression keep the compiler thinking.
    let limits = Self.limits(policy.limits, growth: Self.growth(policy, mostBytes: session.mostBytes))
    let descriptors: [Int32] = session.standard + session.named.map(\.descriptor)
    let arguments = subject.words(at: subject.program.insidePath)
    let environment = try SessionEnvironment.variables(
      session: session.id.description,
      assets: session.assets == nil ? nil : InsidePaths.ownRoot.assets,
      descriptors: session.named.map(\.name),
      wanted: subject.environment
    )
    var plan = LaunchPlan(
      identity: session.identity,
      namespaces: .all,
      hostname: "darkroom",
      clocks: session.clocks,
      root: root.contents,
      ownItems: SandboxRoot.ownItems,
      descriptors: descriptors,
      limits: try InheritedLimits.fit(limits),
      // Without a user namespace of the session's own these would be the machine's.
      namespaceLimits: session.identity == .restricted ? [] : NamespaceLimit.standard,
      landlock: root.landlock,
      filter: filter.instructions,
      refusals: reports,
      lastCapability: Int32(CapabilityNames.count - 1),
      workingDirectory: "/session",
      executable: subject.program.insidePath,
      execution: execution,
      arguments: arguments,
      environment: environment
    )
    plan.session = session.id.description
    // Of every filter it is proved before that a session can change nothing in its network (`no-network`, `no-namespaces`,
    // `no-io-uring`, `no-keyrings`), whatever a person or a program lets through.
    plan.network = .handedOn
    return plan
  }

  /// How large a file can become before the extension gets `EFBIG`: no larger than all files of its session may be
  /// together. Where those may have nothing, as large as its scratch space.
  package static func growth(_ policy: ResolvedPolicy, mostBytes: Int?) -> Int {
    let most = mostBytes ?? policy.limits.sessionBytes
    return min(policy.limits.fileSize, most == 0 ? policy.scratchBytes : max(most, leastGrowth))
  }

  /// A limit below this would only hinder programs in their scratch space, in bytes.
  private static let leastGrowth = 64 << 10

  /// The kernel's limits; `growth` is the soft one of a file's size, which the host moves.
  static func limits(_ limits: PolicyLimits, growth: Int) -> [LaunchPlan.ResourceLimit] {
    let processorTime = UInt64(limits.cpuTime)
    return [
      .init(.coreSize, 0),
      // The signal comes at the soft limit and says why; the hard one is for those that ignore it.
      .init(.processorTime, soft: processorTime, hard: processorTime + 5),
      .init(.fileSize, soft: UInt64(growth), hard: UInt64(limits.fileSize)),
      .init(.processes, UInt64(limits.processes)),
      .init(.descriptors, UInt64(limits.descriptors)),
      .init(.lockedMemory, 64 << 10),
      .init(.addressSpace, UInt64(limits.addressSpace)),
      .init(.pendingSignals, 1024),
      .init(.messageQueues, 0),
      .init(.nice, 0),
      .init(.realTimePriority, 0),
    ]
  }
}
