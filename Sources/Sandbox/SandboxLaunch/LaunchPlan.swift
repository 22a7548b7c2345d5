// SPDX-License-Identifier: Apache-2.0

package import SandboxEnforcement

/// Everything about one launch, decided: which root, which namespaces, which descriptors, which limits, which filter.
///
/// A plan is a value. Making one reads the policy and the machine; carrying it out (``SandboxLauncher``) decides
/// nothing more, so what a plan says is what was enforced, or the launch failed.
package struct LaunchPlan: Sendable {
  /// Who the extension is, inside and outside.
  package var identity: Identity
  /// The namespaces that the session gets for itself. With others ``network`` is a new one.
  package var namespaces: Namespaces { didSet { network = .new } }
  /// The name of the machine that the extension sees.
  package var hostname: String
  /// The session's id: its init is executed with it, and known by it from outside; nil: it has none.
  package var session: String?
  /// The clocks of the session; nil: the host's.
  package var clocks: SessionClocks?
  /// What the root holds, as it was put together.
  package var contents: SessionRoot
  /// Where in the root the items are that no other session has: what they show or hold cannot be prepared ahead.
  package var ownItems: Set<String>
  /// Descriptors of this process; each gets its index as its number in the extension.
  package var descriptors: [Int32]
  /// The resource limits.
  package var limits: [ResourceLimit]
  /// The session's control group as a descriptor of its `cgroup.procs`, opened for writing; nil where there is none.
  package var controlGroup: Int32?
  /// The limits of the session's user namespace.
  package var namespaceLimits: [NamespaceLimit]
  /// The Landlock ruleset, or nil where a policy accepted to do without.
  package var landlock: LandlockRuleset?
  /// The seccomp filter as an array of the kernel's `struct sock_filter`. With another one ``network`` is a new one: what was
  /// proved was proved of the one before.
  package var filter: [UInt8] { didSet { network = .new } }
  /// Whether the host hears of the calls that the filter refuses.
  package var refusals: RefusalReports
  /// What the extension sees in its mount table.
  package var mountTable: MountTable
  /// The highest capability that the kernel knows (`/proc/sys/kernel/cap_last_cap`).
  package var lastCapability: Int32
  /// The directory that the extension starts in, as it sees it.
  package var workingDirectory: String
  /// The program, as the extension sees it.
  package var executable: String
  /// How the program is executed.
  package var execution: Execution
  /// The arguments, with the program's name as the first.
  package var arguments: [String]
  /// The environment, whole: nothing is inherited.
  package var environment: [EnvironmentVariable]
  /// The variable of ``environment`` that gets the extension's number where nobody can know it before; nil: none.
  package var processVariable: String?
  /// Whether the program is stopped before its first instruction.
  package var start = Start.running
  /// Where the session's network namespace comes from.
  package var network = Network.new
  /// How long the launch may take before it is given up, in milliseconds.
  package var timeoutMilliseconds: Int32

  /// Makes a plan.
  package init(
    identity: Identity,
    namespaces: Namespaces,
    hostname: String,
    clocks: SessionClocks? = nil,
    root: SessionRoot,
    ownItems: Set<String> = [],
    descriptors: [Int32],
    limits: [ResourceLimit],
    controlGroup: Int32? = nil,
    namespaceLimits: [NamespaceLimit] = [],
    landlock: LandlockRuleset?,
    filter: [UInt8],
    refusals: RefusalReports,
    mountTable: MountTable = .hidden,
    lastCapability: Int32,
    workingDirectory: String,
    executable: String,
    execution: Execution,
    arguments: [String],
    environment: [EnvironmentVariable],
    timeoutMilliseconds: Int32 = 10_000
  ) {
    self.identity = identity
    self.namespaces = namespaces
    self.hostname = hostname
    self.clocks = clocks
    contents = root
    self.ownItems = ownItems
    self.descriptors = descriptors
    self.limits = limits
    self.controlGroup = controlGroup
    self.namespaceLimits = namespaceLimits
    self.landlock = landlock
    self.filter = filter
    self.refusals = refusals
    self.mountTable = mountTable
    self.lastCapability = lastCapability
    self.workingDirectory = workingDirectory
    self.executable = executable
    self.execution = execution
    self.arguments = arguments
    self.environment = environment
    self.timeoutMilliseconds = timeoutMilliseconds
  }
}

extension LaunchPlan {
  /// What the root holds, in the order in which it is made.
  package var root: [RootItem] {
    get { contents.items }
    set { contents = .single(newValue) }
  }

  /// Whether the session may have a network that another one had, and leave it to the next. Not where it has none of its own,
  /// where nobody knows when its last process has ended, and where a person looks into it.
  var handsOnNetwork: Bool {
    network == .handedOn && start == .running && namespaces.isSuperset(of: [.network, .pid])
  }

  /// Who the extension is.
  package enum Identity: Sendable, Hashable {
    /// Outside it is the caller. For hosts that are not root.
    case caller
    /// Outside it is this user and group, which nobody else is. For root.
    case other(user: UInt32, group: UInt32)
    /// It is the caller, inside and outside, without a namespace or a root of its own. For hosts that are not root and
    /// can make no user namespace.
    case restricted
  }

  /// Whether the host hears of refused calls.
  package enum RefusalReports: Sendable, Hashable {
    /// A refused call waits until the host has refused it (``SandboxedProcess/refusals``).
    case reported
    /// The kernel refuses by itself; nobody hears of it.
    case silent
    /// The session is learned from: calls wait until the host has let them through or refused them
    /// (``SandboxedProcess/takeLearning()``), and what no policy can allow the kernel refuses by itself.
    case learned(LearningScope)
  }

  /// What the extension sees in `/proc/self/mountinfo`.
  package enum MountTable: Sendable, Hashable {
    /// Nothing: it is in another mount namespace than its root.
    case hidden
    /// Every mount of the session, with its place on the host's file systems.
    case shown
  }

  /// How the program begins.
  package enum Start: Sendable, Hashable {
    /// It runs at once.
    case running
    /// It is stopped before its first instruction, as by SIGSTOP, and a debugger can attach. Nothing else is different:
    /// the sandbox is whole, and the host has let go of it.
    case stopped
  }

  /// Where the network namespace of a session comes from. Either way nobody else is in it.
  package enum Network: Sendable, Hashable {
    /// It is made for the session, and goes with it.
    case new
    /// A session before may have had it, and one after this one may get it. Only for a plan whose filter is proved to let
    /// nothing change in it: no socket but pairs (socketpair(2)), no namespace, no io_uring. Whether one had it is told by
    /// ``SandboxedProcess/hasOthersNetwork``. Where that cannot be, it is a new one: for the first session
    /// of a process, for a root without CAP_NET_ADMIN, and for an ordinary user without a broker.
    case handedOn
  }

  /// The user and the group that every extension sees itself as.
  package static let innerUser: UInt32 = 1000

  /// How the program is executed.
  package enum Execution: Sendable, Hashable {
    /// By its path (execve(2)); scripts work.
    case path
    /// Once, by a descriptor of this number, which the limit on descriptors makes unreachable afterwards
    /// (execveat(2)).
    case once(descriptor: Int32)
  }

  /// A variable of the environment.
  package struct EnvironmentVariable: Sendable, Hashable {
    /// The name.
    package var name: String
    /// The value.
    package var value: String

    /// Makes a variable.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A limit (setrlimit(2)).
  package struct ResourceLimit: Sendable, Hashable {
    /// What is limited.
    package var resource: Resource
    /// Where the kernel says no, or sends a signal; in the unit of the resource.
    package var soft: UInt64
    /// How far the extension may raise the limit itself.
    package var hard: UInt64

    /// Makes a limit that cannot be raised.
    package init(_ resource: Resource, _ value: UInt64) {
      self.init(resource, soft: value, hard: value)
    }

    /// Makes a limit.
    package init(_ resource: Resource, soft: UInt64, hard: UInt64) {
      self.resource = resource
      self.soft = soft
      self.hard = hard
    }
  }
}
