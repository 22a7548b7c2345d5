// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxEnforcement
internal import SandboxLaunch

/// A protection that can be taken out of a plan, to see that an attempt then succeeds.
///
/// What the child does in any case (pid, mount, user and UTS namespace, capabilities, `no_new_privs`) cannot.
enum Protection: String, Sendable {
  /// There is no filter.
  case filter
  /// The filter refuses with `EBADFD` where it would with `EPERM`, so that its refusals can be told from others.
  case usualErrno
  /// Landlock.
  case landlock
  /// The plan names what the host left open.
  case descriptors
  /// The session sees the whole host in place of its own root, and may write, run and follow everything there.
  case root
  /// The network namespace.
  case network
  /// The namespace of System V IPC.
  case ipc
  /// The cgroup namespace.
  case cgroup
  /// All resource limits.
  case limits
  /// The limits of the user namespace.
  case namespaceLimits
  /// Binds can be written to.
  case readOnly
  /// Programs in the session's own directories can be executed.
  case noExecution
  /// Symbolic links in the session directory are followed.
  case noSymbolicLinks
  /// `/proc` shows everything of its pid namespace.
  case processView
  /// The container has no size.
  case scratchSize
  /// The clocks are the host's.
  case clocks
  /// What is shown of the host is the host's own files.
  case layers
  /// What layers are taken from goes with the host's root.
  case ground
  /// The filter is there, with its listener, but allows every call.
  case refusing
  /// Nobody listens for refused calls.
  case listening
  /// Refusals are the kernel's own, without a listener.
  case reports
  /// The mount table shows what it would show anywhere.
  case mountTable
  /// The program is executed by its path, and executing is allowed again.
  case executeOnce
  /// Its network is handed on, whatever the filter lets a session do there.
  case newNetwork
}

extension LaunchPlan {
  /// Takes a protection out.
  mutating func remove(_ protection: Protection) {
    switch protection {
    case .filter: (filter, refusals) = ([], .silent)
    case .usualErrno: markRefusals()
    case .landlock: landlock = nil
    case .descriptors: break  // The host adds what it left open.
    case .root: showHost()
    case .network: namespaces.remove(.network)
    case .ipc: namespaces.remove(.ipc)
    case .cgroup: namespaces.remove(.cgroup)
    case .limits: limits = []
    case .namespaceLimits: namespaceLimits = []
    case .readOnly: changeBinds { $0.subtracting(.readOnly) }
    case .noExecution: allowExecution()
    case .noSymbolicLinks: changeBinds { $0.subtracting(.noSymbolicLinks) }
    case .processView:
      root = root.map {
        if case .processes(let target, _) = $0 { .processes(target, options: "") } else { $0 }
      }
    case .scratchSize: enlargeScratch()
    case .clocks: clocks = nil
    case .layers: changeBinds { $0 }
    case .ground: leaveGround()
    case .refusing: filter = [0x06, 0, 0, 0, 0, 0, 0xFF, 0x7F]
    case .listening: break  // What is done about the plan's refusals is the host's.
    case .reports: refusals = .silent
    case .mountTable: mountTable = .shown
    case .executeOnce: execution = .path
    case .newNetwork: break  // The last change of all, for those of the filter take it back.
    }
  }

  /// Lays everything that stands at the host's top over what the session has, except for what is the session's own.
  private mutating func showHost() {
    changeBinds { $0.subtracting([.readOnly, .noExecution, .noSymbolicLinks]) }
    allowExecution()
    enlargeScratch()
    let own: Set = ["session", "container", "extension", "tmp", "lost+found"]
    let there = Set(root.map { String($0.target.dropFirst()) })
    for name in (try? FileSystem.names(in: "/")) ?? [] where !own.contains(name) {
      guard let status = try? FileSystem.status("/\(name)"), status.kind == .directory else { continue }
      if !there.contains(name) { root.append(.directory(name)) }
      root.append(.bind(source: "/\(name)", target: name, []))
    }
    // What an attempt makes there would stay on the host.
    root.append(.scratch("dev/shm", .init(mode: 0o1777, [])))
  }

  /// Lays the ground in the session's root instead of the host's.
  private mutating func leaveGround() {
    root = root.map {
      guard case .ground(let source, _, let layers) = $0 else { return $0 }
      return .ground(source: source, over: RootItem.emptyDirectory, layers: layers)
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

  /// Binds a path of the host for reading and writing.
  mutating func expose(_ path: String) {
    root += [.directory("exposed"), .bind(source: path, target: "exposed", [.noSetUserID])]
  }

  /// Changes the attributes of every bind of the plan. A layer becomes one, so that none is left for a ground.
  private mutating func changeBinds(_ change: (RootItem.MountAttributes) -> RootItem.MountAttributes) {
    root.removeAll(where: \.isGround)
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

  /// Replaces `BPF_RET | BPF_K` of `SECCOMP_RET_ERRNO | EPERM` by the same with `EBADFD`.
  private mutating func markRefusals() {
    // None of them is reported, and a launch lets itself through only what is.
    refusals = .silent
    for start in stride(from: 0, to: filter.count, by: SeccompFilter.instructionSize)
    where filter[start...].starts(with: [0x06, 0, 0, 0, 1, 0, 5, 0]) {
      filter[start + 4] = 77
    }
  }
}
