// SPDX-License-Identifier: Apache-2.0

import JSONText
import LaunchPlanning
import LinuxPrimitives
import PolicyProof
import SandboxLaunch
import SandboxPolicy
import SessionStore
import Testing

@Suite struct LaunchPlannerTests {
  /// Returns a plan for a system program under a shipped policy.
  static func plan(
    _ policy: String = "capture",
    readOnly: [String] = [],
    environment: [LaunchPlan.EnvironmentVariable] = [],
    identity: LaunchPlan.Identity = .caller,
    assets: String? = "/tmp",
    landlockABI: Int = .max,
    user: UInt32 = CurrentProcess.effectiveUserID,
    isAdministrator: Bool = true,
    invariants: [Invariant] = []
  ) throws -> LaunchPlan {
    try plan(
      try PolicyFinder.find(policy).policy,
      readOnly: readOnly,
      environment: environment,
      identity: identity,
      assets: assets,
      landlockABI: landlockABI,
      user: user,
      isAdministrator: isAdministrator,
      invariants: invariants
    )
  }

  /// Returns a plan for a system program under a policy.
  static func plan(
    _ policy: ResolvedPolicy,
    readOnly: [String] = [],
    environment: [LaunchPlan.EnvironmentVariable] = [],
    identity: LaunchPlan.Identity = .caller,
    assets: String? = "/tmp",
    landlockABI: Int = .max,
    user: UInt32 = CurrentProcess.effectiveUserID,
    isAdministrator: Bool = true,
    invariants: [Invariant] = []
  ) throws -> LaunchPlan {
    let subject = LaunchTarget(
      program: .shown("/usr/bin/true"),
      arguments: ["-x"],
      environment: environment,
      policy: policy,
      readOnly: readOnly
    )
    let session = LaunchPlanner.Session(
      id: SessionID.random(),
      files: .init(content: "/tmp", library: "/tmp", assets: assets),
      context: Array("null".utf8),
      standard: [0, 1, 2],
      named: [],
      identity: identity
    )
    let planner = LaunchPlanner(
      stateRoot: StateRoot(path: "/var/lib"),
      landlockABI: landlockABI,
      user: user,
      isAdministrator: isAdministrator,
      invariants: invariants
    )
    return try planner.plan(subject, session)
  }

  @Test(arguments: [LaunchPlan.Identity.caller, .restricted])
  func `refuses to plan a filter that allows a call forbidden by an invariant`(
    identity: LaunchPlan.Identity
  ) throws {
    let isRestricted = identity == .restricted
    // Restricted sessions are refused for root.
    let user = isRestricted ? max(CurrentProcess.effectiveUserID, 1) : CurrentProcess.effectiveUserID
    let origin = PolicyOrigin(source: "test", position: .init(line: 1, column: 1))
    let invariant = Invariant(
      name: "no-reading",
      reason: "extensions must not read",
      forbidden: [ForbiddenCalls(.call("read"))],
      origin: origin
    )
    _ = try Self.plan(identity: identity, user: user)
    let error = #expect(throws: PlanError.self) {
      try Self.plan(identity: identity, user: user, invariants: [invariant])
    }
    guard case .unproved("capture", let failures) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failures.map(\.subject) == [.invariant(name: "no-reading", reason: "extensions must not read")])
    #expect("\(try #require(error))".contains("read("))
  }

  @Test func `shows all host files read-only without set-user-ID and device files`() throws {
    for item in try Self.plan().root {
      let (source, target, attributes): (String, String, RootItem.MountAttributes)
      switch item {
      case .bind(let from, let to, let how), .layer(let from, let to, let how):
        (source, target, attributes) = (from, to, how)
      default: continue
      }
      #expect(attributes.contains(.noSetUserID), "\(target)")
      if target == "session" {
        #expect(attributes.isSuperset(of: [.noDevices, .noExecution, .noSymbolicLinks]))
      } else if ["library", "assets"].contains(target) {
        #expect(attributes.isSuperset(of: [.readOnly, .noDevices, .noExecution, .noSymbolicLinks]))
      } else if source.hasPrefix("/dev/") {
        #expect(attributes.contains(.noExecution))
      } else {
        #expect(attributes.isSuperset(of: [.readOnly, .noDevices]), "\(target)")
      }
    }
  }

  @Test func `shows shared assets as a readable layer and omits every trace of them if there are none`()
    throws
  {
    let plan = try Self.plan()
    let items = plan.root.filter { $0.target == "/assets" }
    #expect(items.count == 2)
    guard case .layer("/tmp", _, _) = items.last else {
      Issue.record("the last item is not a layer: \(items)")
      return
    }
    let rules = try #require(plan.restrictions.landlock).rules.filter { $0.path == "/assets" }
    // LANDLOCK_ACCESS_FS_READ_FILE and LANDLOCK_ACCESS_FS_READ_DIR.
    let reading: UInt64 = 1 << 2 | 1 << 3
    #expect(rules.map(\.access) == [reading])
    #expect(plan.program.environment.contains(.init("DARKROOM_ASSETS_DIR", "/assets")))
    let without = try Self.plan(assets: nil)
    #expect(!without.root.contains { $0.target == "/assets" })
    #expect(without.restrictions.landlock?.rules.contains { $0.path == "/assets" } == false)
    #expect(!without.program.environment.contains { $0.name == "DARKROOM_ASSETS_DIR" })
  }

  @Test func `every plan has all namespaces, all Landlock rights and all limits`() throws {
    for policy in PolicyFinder.shippedNames {
      let plan = try Self.plan(policy)
      #expect(plan.isolation.namespaces == .all)
      #expect(plan.restrictions.landlock?.network == 3 || plan.restrictions.landlock?.files != 0)
      #expect(Set(plan.limits.resources.map(\.resource)) == Set(Resource.allCases))
      #expect(!plan.restrictions.filter.isEmpty && plan.restrictions.filter.count % 8 == 0)
    }
  }

  @Test func `only the session directory and the container are writable`() throws {
    let writeFile: UInt64 = 1 << 1
    let rules = try #require(try Self.plan().restrictions.landlock).rules
    let writable = rules.filter { $0.access & writeFile != 0 }.map(\.path)
    #expect(Set(writable.filter { !$0.hasPrefix("/dev/") }) == ["/session", "/container"])
  }

  @Test func `passes no variable of the host environment`() throws {
    let names = Set(try Self.plan(environment: [.init("LANGUAGE", "de")]).program.environment.map(\.name))
    #expect(names.contains("LANGUAGE"))
    #expect(
      names.isSuperset(of: ["HOME", "TMPDIR", "DARKROOM_SESSION_DIR", "DARKROOM_APP_CONTEXT", "SWIFT_ROOT"])
    )
    #expect(!names.contains("LISTEN_FDS"))
    let error = #expect(throws: PlanError.self) { try Self.plan(environment: [.init("LD_PRELOAD", "x")]) }
    #expect(error == .reservedVariable("LD_PRELOAD"))
  }

  @Test(arguments: [
    "/", "relative", "/usr/../etc", "/proc", "/proc/1", "/dev/mem", "/sys/kernel", "/session",
  ])
  func `rejects a read-only path that the sandbox replaces`(path: String) {
    #expect(throws: PlanError.self) { try Self.plan(readOnly: [path]) }
  }

  @Test(arguments: ["/var/lib", "/var", "/var/lib/dpkg"])
  func `rejects a read-only path that is in, equal to or above the state root`(path: String) {
    let error = #expect(throws: PlanError.self) { try Self.plan(readOnly: [path]) }
    #expect(error == .forbiddenPath(path, reason: .stateRoot))
  }

  @Test func `a missing path is an error only if it is required`() throws {
    let error = #expect(throws: PlanError.self) { try Self.plan(readOnly: ["/usr/no/such/path"]) }
    #expect(error != nil)
    #expect(try !Self.plan().root.contains { $0.target == "/etc/no-such-file" })
  }

  @Test func `the strict policy executes once through a descriptor number above the limit`() throws {
    let plan = try Self.plan("strict")
    let limit = plan.limits.resources.first { $0.resource == .descriptors }
    #expect(plan.program.execution == .once(descriptor: Int32(limit?.hard ?? 0)))
  }

  @Test func `a plan reports what it enforces`() throws {
    let enforcement = try Self.plan().enforcement
    #expect(enforcement.status == (SessionClocks.areSupported ? .full : .partial))
    let names = Set(enforcement.layers.map(\.name))
    // The control group is known only at the launch.
    #expect(names == Set(Layer.allCases.map(\.rawValue)).subtracting([Layer.controlGroup.rawValue]))
    var withoutLandlock = try Self.plan()
    withoutLandlock.restrictions.landlock = nil
    #expect(withoutLandlock.enforcement.status == .partial)
    var withHostClocks = try Self.plan()
    withHostClocks.isolation.clocks = nil
    #expect(withHostClocks.enforcement.status == .partial)
  }
}
