// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import LinuxPrimitives
package import PolicyProof
package import SandboxEnforcement
package import SandboxLaunch
package import SandboxPolicy
package import SessionStore

/// Creates launch plans from a policy and the state of the machine.
package struct LaunchPlanner: Sendable {
  /// The properties of a session that its plan depends on.
  package struct Session: Sendable {
    /// The ID of the session.
    package var id: SessionID
    /// The session's directories on the host.
    package var files: Files
    /// The app context as JSON text.
    package var context: [UInt8]
    /// The host file that receives the context later, or `nil` if the context is known now.
    package var contextFile: String?
    /// The host's descriptors for standard input, output and error of the extension.
    package var standard: [Int32]
    /// The host's descriptors for the extension's descriptors from 3 on, with their names.
    package var named: [(name: InheritedDescriptor, descriptor: Int32)]
    /// The identity of the extension outside its user namespace.
    package var identity: LaunchPlan.Identity
    /// The offsets of the session's clocks, or `nil` for the host's clocks. A policy accepts the host's
    /// clocks only if the time namespace is best effort.
    package var clocks: SessionClocks?
    /// The maximum size of the session's directory in bytes, or `nil` for the policy's limit.
    package var maximumBytes: Int?
    /// The calls that are learned from, or `nil` for a session with a closed filter.
    package var learning: LearningScope?

    /// The directories of a session on the host.
    package struct Files: Sendable {
      /// The path of the session content directory.
      package var content: String
      /// The directory with the visible part of the photo library, or `nil` for an empty library.
      package var library: String?
      /// The directory with the app's shared assets, or `nil` without shared assets.
      package var assets: String?

      /// Creates a list of directories.
      package init(content: String, library: String? = nil, assets: String? = nil) {
        self.content = content
        self.library = library
        self.assets = assets
      }
    }

    /// Creates the description of a session.
    package init(
      id: SessionID,
      files: Files,
      context: [UInt8],
      standard: [Int32],
      named: [(name: InheritedDescriptor, descriptor: Int32)],
      identity: LaunchPlan.Identity,
      clocks: SessionClocks? = SessionClocks.areSupported ? .startingNow() : nil
    ) {
      self.id = id
      self.files = files
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
  /// Whether the user may create namespaces without a user namespace.
  let isAdministrator: Bool
  /// The mount points of the machine.
  package let mounts = MountTable()
  let roots = SandboxRootCache()
  let filters: ProvedFilterCache

  /// Creates a planner. The machine is inspected once.
  ///
  /// - Parameters:
  ///   - stateRoot: The state root.
  ///   - landlockABI: The Landlock ABI version to use, at most that of the kernel.
  ///   - user: The UID for which launches are planned.
  ///   - isAdministrator: Whether that user has `CAP_SYS_ADMIN`.
  ///   - invariants: Invariants that filters must keep in addition to those that Darkroom ships.
  package init(
    stateRoot: StateRoot,
    landlockABI: Int = LandlockSupport.abi,
    user: UInt32 = CurrentProcess.effectiveUserID,
    isAdministrator: Bool = SessionIdentity.isAdministrator,
    invariants: [Invariant] = []
  ) {
    self.stateRoot = stateRoot.path
    filters = ProvedFilterCache(stateRoot: stateRoot.path, additional: invariants)
    self.user = user
    self.isAdministrator = isAdministrator
    self.landlockABI = min(landlockABI, LandlockSupport.abi)
  }

  /// Returns the plan of one launch.
  package func plan(_ subject: LaunchTarget, _ session: Session) throws(PlanError) -> LaunchPlan {
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
    let limits = Self.limits(
      policy.limits,
      growth: Self.initialFileSizeLimit(policy, maximumBytes: session.maximumBytes)
    )
    let environment = try SessionEnvironment.variables(
      session: session.id.description,
      assets: session.files.assets == nil ? nil : SandboxPaths.ownRoot.assets,
      descriptors: session.named.map(\.name),
      wanted: subject.environment
    )
    var plan = LaunchPlan(
      identity: session.identity,
      isolation: .init(namespaces: .all, hostname: "darkroom", clocks: session.clocks),
      files: .init(root.contents, ownItems: SandboxRoot.ownItems),
      descriptors: session.standard + session.named.map(\.descriptor),
      limits: .init(try InheritedLimits.fit(limits), userNamespace: NamespaceLimit.standard),
      restrictions: Self.restrictions(root.landlock, filter.instructions, reports),
      program: Self.program(subject, at: subject.program.sandboxPath, environment, in: "/session")
    )
    plan.session = session.id.description
    // A session may reuse the network namespace of an earlier one. Every filter is proved to prevent changes
    // in the network (`no-network`, `no-namespaces`, `no-io-uring`, `no-keyrings`), whatever a user or
    // program permits.
    plan.isolation.network = .reused
    return plan
  }

  /// Returns the initial limit on the size of a file, in bytes. Larger files fail with `EFBIG`.
  ///
  /// The limit is the maximum size of all files of the session, or the size of the scratch space if the
  /// session may store nothing.
  package static func initialFileSizeLimit(_ policy: ResolvedPolicy, maximumBytes: Int?) -> Int {
    let most = maximumBytes ?? policy.limits.sessionBytes
    return min(policy.limits.fileSize, most == 0 ? policy.scratchBytes : max(most, minimumFileSizeLimit))
  }

  /// The minimum of this limit in bytes. A lower limit would only hinder programs in their scratch space.
  private static let minimumFileSizeLimit = 64 << 10

  /// Returns the restrictions of a launch on this kernel.
  static func restrictions(
    _ landlock: LandlockRuleset?,
    _ filter: [UInt8],
    _ refusals: LaunchPlan.RefusalReports
  ) -> LaunchPlan.Restrictions {
    let lastCapability = Int32(CapabilityNames.count - 1)
    return .init(landlock: landlock, filter: filter, refusals: refusals, lastCapability: lastCapability)
  }

  /// Returns the program of a launch target at a path in the extension's root.
  static func program(
    _ subject: LaunchTarget,
    at path: String,
    _ environment: [LaunchPlan.EnvironmentVariable],
    in workingDirectory: String
  ) -> LaunchPlan.Program {
    let policy = subject.policy
    return .init(
      path,
      subject.argumentVector(at: path),
      environment: environment,
      workingDirectory: workingDirectory,
      execution: policy.execute == .once ? .once(descriptor: Int32(policy.limits.descriptors)) : .path
    )
  }

  /// Returns the kernel's resource limits. `growth` is the soft limit on the size of a file, which the host
  /// changes later.
  static func limits(_ limits: PolicyLimits, growth: Int) -> [LaunchPlan.ResourceLimit] {
    let processorTime = UInt64(limits.cpuTime)
    return [
      .init(.coreSize, 0),
      // The signal at the soft limit shows the cause; the hard limit stops programs that ignore the signal.
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

/// Checks the descriptors that are passed to an extension.
enum StandardStreams {
  /// Refuses directories and `O_PATH` descriptors.
  ///
  /// With such a descriptor a process can leave its root (`fchdir`, `openat`, `/proc/self/fd`), because the
  /// kernel resolves paths relative to the descriptor and does not check that it is below the root.
  static func check(_ streams: [Int32]) throws(PlanError) {
    for (number, descriptor) in streams.enumerated()
    where descriptor >= 0 && !streams[..<number].contains(descriptor) {
      let isDirectoryOrPath: Bool
      do { isDirectoryOrPath = try Descriptor.isDirectoryOrPath(descriptor) } catch { throw .path(error) }
      if isDirectoryOrPath { throw .notAStream(number) }
    }
  }

  /// Refuses sockets.
  ///
  /// Through a socket of the host, an extension could reach the peer of the socket and pass descriptors in
  /// both directions (unix(7), `SCM_RIGHTS`). Connected streams have been replaced by pipes before this check
  /// (``StreamRelay``).
  static func checkSockets(_ descriptors: [Int32]) throws(PlanError) {
    for (number, descriptor) in descriptors.enumerated() where descriptor >= 0 {
      let kind: StreamSocket.Kind?
      do { kind = try StreamSocket.kind(ofNumber: descriptor) } catch { throw .path(error) }
      if kind != nil { throw .socket(number) }
    }
  }
}
