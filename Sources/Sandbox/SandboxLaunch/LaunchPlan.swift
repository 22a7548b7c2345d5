// SPDX-License-Identifier: Apache-2.0

package import SandboxEnforcement

/// All decisions about one launch: its root, namespaces, descriptors, limits and filter.
///
/// A plan is a value. Creating it reads the policy and the machine. ``SandboxLauncher`` carries it out
/// without further decisions, so the plan describes what was enforced, or the launch failed.
package struct LaunchPlan: Sendable {
  /// The identity of the extension, inside and outside the sandbox.
  package var identity: Identity
  /// The resources that the session does not share with the host.
  package var isolation: Isolation
  /// The file system of the session.
  package var files: Files
  /// The session ID, an argument of the init by which the init can be identified, or `nil` if there is none.
  package var session: String?
  /// Descriptors of this process. The index of each is its number in the extension.
  package var descriptors: [Int32]
  /// The limits of the session.
  package var limits: Limits
  /// The operations that the kernel denies. Setting the filter resets the network to a new one, because the
  /// proof of the previous filter does not apply.
  package var restrictions: Restrictions {
    didSet {
      if restrictions.filterID != oldValue.filterID || restrictions.filter != oldValue.filter {
        isolation.network = .new
      }
    }
  }
  /// The program to execute.
  package var program: Program
  /// The timeout of the launch, in milliseconds.
  package var timeoutMilliseconds: Int32 = 10_000

  /// Creates a plan from its parts.
  package init(
    identity: Identity,
    isolation: Isolation,
    files: Files,
    descriptors: [Int32],
    limits: Limits,
    restrictions: Restrictions,
    program: Program
  ) {
    self.identity = identity
    self.isolation = isolation
    self.files = files
    self.descriptors = descriptors
    self.limits = limits
    self.restrictions = restrictions
    self.program = program
  }
}

extension LaunchPlan {
  /// The resources that a session does not share with the host.
  package struct Isolation: Sendable {
    /// The namespaces that the session gets. Setting them resets ``network`` to a new one.
    package var namespaces: Namespaces { didSet { network = .new } }
    /// The host name that the extension sees.
    package var hostname: String
    /// The clocks of the session, or `nil` for the host's clocks.
    package var clocks: SessionClocks?
    /// The mount table that the extension sees.
    package var mountTable: MountTable
    /// The origin of the session's network namespace.
    package var network = Network.new

    /// Creates a description with a new network.
    package init(
      namespaces: Namespaces,
      hostname: String,
      clocks: SessionClocks? = nil,
      mountTable: MountTable = .hidden
    ) {
      self.namespaces = namespaces
      self.hostname = hostname
      self.clocks = clocks
      self.mountTable = mountTable
    }
  }

  /// The file system of a session.
  package struct Files: Sendable {
    /// The contents of the root.
    package var contents: SessionRoot
    /// The paths in the root of session-specific items, whose contents cannot be prepared.
    package var ownItems: Set<String>

    /// Creates a file system.
    package init(_ contents: SessionRoot, ownItems: Set<String> = []) {
      self.contents = contents
      self.ownItems = ownItems
    }
  }

  /// The limits of a session.
  package struct Limits: Sendable {
    /// The resource limits of each process.
    package var resources: [ResourceLimit]
    /// The limits of the session's user namespace.
    package var userNamespace: [NamespaceLimit]
    /// `cgroup.procs` of the session's control group, open for writing, or `nil` if there is none.
    package var controlGroup: Int32?

    /// Creates limits without a control group.
    package init(_ resources: [ResourceLimit], userNamespace: [NamespaceLimit] = []) {
      self.resources = resources
      self.userNamespace = userNamespace
    }
  }

  /// The operations that the kernel denies an extension.
  package struct Restrictions: Sendable {
    /// The Landlock ruleset, or `nil` if a policy permits a launch without one.
    package var landlock: LandlockRuleset?
    /// The seccomp filter as an array of `struct sock_filter`.
    package var filter: [UInt8] { didSet { filterID += 1 } }
    /// The number of times that the filter was set. A filter that was set is not the proved one, even if it has
    /// the same instructions.
    fileprivate var filterID = 0
    /// The filter that denies sockets regardless of the policy, as an array of `struct sock_filter`. It is empty
    /// for a session with a network namespace.
    package var socketFilter: [UInt8] = []
    /// Whether refused calls are reported to the host.
    package var refusals: RefusalReports
    /// The highest capability number of the kernel (`/proc/sys/kernel/cap_last_cap`).
    package var lastCapability: Int32

    /// Creates restrictions.
    package init(landlock: LandlockRuleset?, filter: [UInt8], refusals: RefusalReports, lastCapability: Int32)
    {
      self.landlock = landlock
      self.filter = filter
      self.refusals = refusals
      self.lastCapability = lastCapability
    }
  }

  /// A program and its start.
  package struct Program: Sendable {
    /// The path of the program, in the extension's root.
    package var path: String
    /// The arguments, beginning with the program name.
    package var arguments: [String]
    /// The complete environment. The extension inherits no variables.
    package var environment: [EnvironmentVariable]
    /// The initial working directory, in the extension's root.
    package var workingDirectory: String
    /// The way in which the program is executed.
    package var execution: Execution
    /// The variable of ``environment`` that is set to the extension's process ID if it cannot be known before,
    /// or `nil`.
    package var processVariable: String?
    /// Whether the program is stopped before its first instruction.
    package var start = Start.running

    /// Creates a program that is not stopped at its start.
    package init(
      _ path: String,
      _ arguments: [String],
      environment: [EnvironmentVariable],
      workingDirectory: String,
      execution: Execution = .path
    ) {
      self.path = path
      self.arguments = arguments
      self.environment = environment
      self.workingDirectory = workingDirectory
      self.execution = execution
    }
  }
}

extension LaunchPlan {
  /// The items of the root, in the order in which they are created.
  package var root: [RootItem] {
    get { files.contents.items }
    set { files.contents = .single(newValue) }
  }

  /// Whether the session may reuse a network namespace and leave it for reuse.
  ///
  /// This is excluded if the session has no network namespace, if the exit of its last process cannot be
  /// detected, or if a debugger may attach to it.
  var reusesNetwork: Bool {
    isolation.network == .reused && program.start == .running
      && isolation.namespaces.isSuperset(of: [.network, .pid])
  }

  /// The identity of the extension.
  package enum Identity: Sendable, Hashable {
    /// The caller's own user outside. For hosts that are not root.
    case caller
    /// This user and group outside, which no other process uses. For root.
    case other(user: UInt32, group: UInt32)
    /// The caller's own user inside and outside, without namespaces or a separate root. For hosts that are
    /// not root and cannot create a user namespace.
    case restricted
  }

  /// The handling of refused calls.
  package enum RefusalReports: Sendable, Hashable {
    /// A refused call waits until the host has refused it (``SandboxedProcess/refusals``).
    case reported
    /// The kernel refuses calls without reporting them.
    case silent
    /// A learning session: calls wait until the host has allowed or refused them
    /// (``SandboxedProcess/takeLearning()``). The kernel itself refuses calls that no policy can allow.
    case learned(LearningScope)
  }

  /// The contents of `/proc/self/mountinfo` for the extension.
  package enum MountTable: Sendable, Hashable {
    /// Empty: the extension is in another mount namespace than its root.
    case hidden
    /// Every mount of the session, with its path on the host's file systems.
    case shown
  }

  /// The initial state of the program.
  package enum Start: Sendable, Hashable {
    /// The program runs.
    case running
    /// The program is stopped before its first instruction, as by SIGSTOP, and a debugger can attach. The
    /// sandbox is complete, and the host does not trace the program.
    case stopped
  }

  /// The origin of a session's network namespace. A running session never shares its namespace.
  package enum Network: Sendable, Hashable {
    /// The namespace is created for the session and destroyed with it.
    case new
    /// The namespace may be reused from an earlier session, and may be reused by a later one.
    /// ``SandboxedProcess/hasReusedNetwork`` shows whether it was reused.
    ///
    /// Use it only for a plan whose filter is proved to permit no change in the namespace: only socket pairs
    /// (socketpair(2)), no namespaces, and no io_uring. A new namespace is created for the first session of a
    /// process, for root without CAP_NET_ADMIN, and for an unprivileged user without a broker.
    case reused
  }

  /// The UID and GID that every extension has inside.
  package static let innerUser: UInt32 = 1000

  /// The way in which a program is executed.
  package enum Execution: Sendable, Hashable {
    /// By its path (execve(2)), which permits scripts.
    case path
    /// A single time, by a descriptor with this number, which the descriptor limit makes unusable afterwards
    /// (execveat(2)).
    case once(descriptor: Int32)
  }

  /// An environment variable.
  package struct EnvironmentVariable: Sendable, Hashable {
    package var name: String
    package var value: String

    /// Creates a variable.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A resource limit (setrlimit(2)).
  package struct ResourceLimit: Sendable, Hashable {
    /// The limited resource.
    package var resource: Resource
    /// The soft limit, at which the kernel refuses requests or sends a signal, in the unit of the resource.
    package var soft: UInt64
    /// The hard limit, up to which the extension may raise the soft limit.
    package var hard: UInt64

    /// Creates a limit that cannot be raised.
    package init(_ resource: Resource, _ value: UInt64) {
      self.init(resource, soft: value, hard: value)
    }

    /// Creates a limit.
    package init(_ resource: Resource, soft: UInt64, hard: UInt64) {
      self.resource = resource
      self.soft = soft
      self.hard = hard
    }
  }
}
