// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxEnforcement
internal import SandboxLaunch

/// A protection that can be removed from a plan, to verify that an attempt then succeeds.
///
/// The unconditional steps of the child (PID, mount, user and UTS namespace, capabilities, `no_new_privs`)
/// cannot be removed.
enum Protection: String, Sendable {
  /// The system call filter.
  case filter
  /// The usual errno: the filter refuses with `EBADFD` instead of `EPERM`, so that its refusals are
  /// identifiable.
  case usualErrno
  /// The filter that denies sockets regardless of the policy.
  case socketFilter
  /// The Landlock rulesets.
  case landlock
  /// The ruleset of the policy: it allows all access to files.
  case policyRuleset
  /// The ruleset that denies the state root regardless of the policy.
  case stateRootRuleset
  /// The descriptor list: the plan also passes the inherited descriptors.
  case descriptors
  /// The root: the session has the host's directories with write and execute access.
  case root
  /// The network namespace.
  case network
  /// The IPC namespace.
  case ipc
  /// The cgroup namespace.
  case cgroup
  /// All resource limits.
  case limits
  /// The limits of the user namespace.
  case namespaceLimits
  /// The read-only attribute of bind mounts.
  case readOnly
  /// The noexec attribute of the session's own directories.
  case noExecution
  /// The nosymfollow attribute of the session directory.
  case noSymbolicLinks
  /// The restricted view of `/proc`: all processes of the PID namespace are visible.
  case processView
  /// The size limit of the container.
  case scratchSize
  /// The time namespace: the clocks are the host's.
  case clocks
  /// The overlay layers: the session has the host's own files.
  case layers
  /// Unmounting the layer base: it stays visible in the session's root.
  case ground
  /// Refusals: the filter and its listener exist, but the filter allows every call.
  case refusing
  /// Listening: the host closes the listener for refused calls.
  case listening
  /// Reports: the kernel refuses calls without a listener.
  case reports
  /// Hiding the mount table.
  case mountTable
  /// Single execution: the program is executed by path, and further executions are allowed.
  case executeOnce
  /// The new network: the network is reused regardless of the filter.
  case newNetwork
}

extension LaunchPlan {
  /// Removes a protection from the plan.
  mutating func remove(_ protection: Protection) {
    switch protection {
    case .filter: (restrictions.filter, restrictions.refusals) = ([], .silent)
    case .usualErrno: markRefusals()
    case .socketFilter: restrictions.socketFilter = []
    case .landlock: restrictions.landlock = nil
    case .policyRuleset:
      let all = restrictions.landlock?.files ?? 0
      restrictions.landlock?.rules = [.init(path: "/", access: all)]
    case .stateRootRuleset: restrictions.landlock?.stateRootRules = []
    case .descriptors: break  // The host adds the inherited descriptors.
    case .root: exposeHostRoot()
    case .network: isolation.namespaces.remove(.network)
    case .ipc: isolation.namespaces.remove(.ipc)
    case .cgroup: isolation.namespaces.remove(.cgroup)
    case .limits: limits.resources = []
    case .namespaceLimits: limits.userNamespace = []
    case .readOnly: changeBinds { $0.subtracting(.readOnly) }
    case .noExecution: allowExecution()
    case .noSymbolicLinks: changeBinds { $0.subtracting(.noSymbolicLinks) }
    case .processView:
      root = root.map {
        if case .processes(let target, _) = $0 { .processes(target, options: "") } else { $0 }
      }
    case .scratchSize: enlargeScratch()
    case .clocks: isolation.clocks = nil
    case .layers: changeBinds { $0 }
    case .ground: keepLayerBase()
    case .refusing: restrictions.filter = [0x06, 0, 0, 0, 0, 0, 0xFF, 0x7F]
    case .listening: break  // The host decides how to answer refusals.
    case .reports: restrictions.refusals = .silent
    case .mountTable: isolation.mountTable = .shown
    case .executeOnce: program.execution = .path
    case .newNetwork: break  // The host applies this change last, because changes of the filter undo it.
    }
  }

  /// Mounts the host's top-level directories over the session's root, except for the session's own
  /// directories.
  private mutating func exposeHostRoot() {
    changeBinds { $0.subtracting([.readOnly, .noExecution, .noSymbolicLinks]) }
    allowExecution()
    enlargeScratch()
    let own: Set = ["session", "container", "extension", "tmp", "lost+found"]
    let existingNames = Set(root.map { String($0.target.dropFirst()) })
    for name in (try? FileSystem.names(in: "/")) ?? [] where !own.contains(name) {
      guard let status = try? FileSystem.status("/\(name)"), status.kind == .directory else { continue }
      if !existingNames.contains(name) { root.append(.directory(name)) }
      root.append(.bind(source: "/\(name)", target: name, []))
    }
    // Files that an attempt creates there would remain on the host.
    root.append(.scratch("dev/shm", .init(mode: 0o1777, [])))
  }

  /// Mounts the layer base in the session's root instead of the host's root.
  private mutating func keepLayerBase() {
    root = root.map {
      guard case .layerBase(let source, _, let layers) = $0 else { return $0 }
      return .layerBase(source: source, over: RootItem.emptyDirectory, layers: layers)
    }
  }

  private mutating func allowExecution() {
    changeBinds { $0.subtracting(.noExecution) }
    changeScratch { $0.flags.subtract(.noExecution) }
  }

  private mutating func enlargeScratch() {
    changeScratch { scratch in
      scratch.bytes = nil
      scratch.files = 0
    }
  }

  /// Binds a host path for reading and writing.
  mutating func expose(_ path: String) {
    root += [.directory("exposed"), .bind(source: path, target: "exposed", [.noSetUserID])]
  }

  /// Changes the attributes of every bind mount. Layers become bind mounts, so that the layer base is
  /// removed.
  private mutating func changeBinds(_ change: (RootItem.MountAttributes) -> RootItem.MountAttributes) {
    root.removeAll(where: \.isLayerBase)
    root = root.map {
      switch $0 {
      case .bind(let source, let target, let attributes), .layer(let source, let target, let attributes):
        .bind(source: source, target: target, change(attributes))
      default: $0
      }
    }
  }

  /// Changes every tmpfs of the plan.
  private mutating func changeScratch(_ change: (inout RootItem.Scratch) -> Void) {
    root = root.map {
      guard case .scratch(let target, var scratch) = $0 else { return $0 }
      change(&scratch)
      return .scratch(target, scratch)
    }
  }

  /// Replaces `BPF_RET | BPF_K` of `SECCOMP_RET_ERRNO | EPERM` by `EBADFD`.
  private mutating func markRefusals() {
    // Marked refusals are not reported, and the launcher's own calls pass only a reporting filter.
    restrictions.refusals = .silent
    for start in stride(from: 0, to: restrictions.filter.count, by: SeccompFilter.instructionSize)
    where restrictions.filter[start...].starts(with: [0x06, 0, 0, 0, 1, 0, 5, 0]) {
      restrictions.filter[start + 4] = 77
    }
  }
}
