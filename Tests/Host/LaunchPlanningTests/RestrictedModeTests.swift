// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import LinuxPrimitives
import SandboxEnforcement
import SandboxLaunch
import SandboxPolicy
import SessionStore
import Testing

/// Descriptions of sessions without namespaces. SandboxProtectionTests verifies their restrictions.
@Suite struct RestrictedModeTests {
  @Test(arguments: 3...7)
  func `lists each missing layer once with its consequences`(abi: Int) {
    let lacks = RestrictedMode.lacks(landlockABI: abi)
    for layer in RestrictedMode.missing {
      #expect(lacks.count { $0.hasPrefix("no \(layer.rawValue): ") } == 1, "\(layer)")
    }
    #expect(Set(lacks).count == lacks.count)
    let processes = lacks.first { $0.hasPrefix("no pidNamespace") } ?? ""
    #expect(processes.contains("Linux 6.12") == (abi < 6), "\(processes)")
    let network = lacks.first { $0.hasPrefix("no networkNamespace") } ?? ""
    #expect(network.contains("TCP") == (abi >= 4), "\(network)")
    #expect(network.contains("abstract") == (abi >= 6), "\(network)")
  }

  @Test func `each layer of a restricted session is recorded as missing or enforced`() throws {
    var plan = try LaunchPlannerTests.plan()
    plan.identity = .restricted
    let enforcement = plan.enforcement
    #expect(enforcement.status == .partial)
    let missing = enforcement.layers.filter { $0.state == .missing }
    #expect(Set(missing.map(\.name)) == Set(RestrictedMode.missing.map(\.rawValue)))
    #expect(missing.allSatisfy { $0.detail?.isEmpty == false })
    let whole = try LaunchPlannerTests.plan().enforcement
    #expect(Set(enforcement.layers.map(\.name)) == Set(whole.layers.map(\.name)))
    #expect(enforcement.layers.count == whole.layers.count)
  }

  @Test func `refuses a restricted session for root with CAP_SYS_ADMIN`() {
    let error = #expect(throws: PlanError.self) {
      try LaunchPlannerTests.plan(identity: .restricted, user: 0)
    }
    #expect(error == .restrictedModeUnavailable(.root))
  }

  @Test func `a restricted plan has no namespaces, uses host paths and excludes the state root`() throws {
    let plan = try LaunchPlannerTests.plan(identity: .restricted, user: 1000)
    #expect(plan.isolation.namespaces.isEmpty && plan.root.isEmpty && plan.restrictions.landlock != nil)
    #expect(plan.program.workingDirectory == "/tmp" && plan.program.path == "/usr/bin/true")
    let error = #expect(throws: PlanError.self) {
      try LaunchPlannerTests.plan(readOnly: ["/var/lib"], identity: .restricted, user: 1000)
    }
    #expect(error == .forbiddenPath("/var/lib", reason: .stateRoot))
  }

  @Test(.enabled(if: LandlockSupport.abi >= 4, "requires Landlock ABI 4"))
  func `plans a restricted session for root without CAP_SYS_ADMIN`() throws {
    let plan = try LaunchPlannerTests.plan(
      "container",
      identity: .restricted,
      user: 0,
      isAdministrator: false
    )
    #expect(plan.isolation.namespaces.isEmpty)
    // The launch fails if the extension's process can open the directory.
    #expect(plan.restrictions.landlock?.deniedDirectory == "/var/lib")
  }

  @Test(.enabled(if: LandlockSupport.abi >= 4, "requires Landlock ABI 4"))
  func `requires a second mechanism against TCP under the policy for containers`() throws {
    let error = #expect(throws: PlanError.self) {
      try LaunchPlannerTests.plan("container", identity: .restricted, landlockABI: 3, user: 1000)
    }
    #expect(error == .restrictedModeUnavailable(.landlock(abi: 3, required: 4)))
    let plan = try LaunchPlannerTests.plan("container", identity: .restricted, landlockABI: 4, user: 1000)
    #expect(plan.restrictions.landlock?.network != 0)
  }

  @Test(arguments: 3...7)
  func `two checks deny each access, and a single mechanism is refused unless the policy accepts it`(
    abi: Int
  ) throws {
    let all = DenialMechanisms.all(landlockABI: abi)
    #expect(all.map(\.access) == DeniedAccess.allCases && all.allSatisfy { $0.checks.count >= 2 })
    let single = DenialMechanisms.single(landlockABI: abi)
    let expected: [DeniedAccess] = (abi < 4 ? [.tcp] : []) + [.udp, .otherSockets, .groupContainers]
    #expect(single.map(\.access) == expected)
    var policy = try PolicyFinder.find("capture").policy
    #expect(Self.refusal(policy, abi) == nil)
    policy.bestEffort.insert(.userNamespace)
    #expect(Self.refusal(policy, abi) == .singleMechanism(single))
    policy.acceptSingleMechanism = Set(DeniedAccess.allCases).subtracting([.udp])
    let refusal = Self.refusal(policy, abi)
    #expect(refusal == .singleMechanism(single.filter { $0.access == .udp }))
    let words = refusal?.description ?? ""
    for word in ["UDP (seccomp)", "procMount: Unmasked", #""acceptSingleMechanism": ["udp"]"#] {
      #expect(words.contains(word), "\(words)")
    }
    policy.acceptSingleMechanism = Set(DeniedAccess.allCases)
    #expect(Self.refusal(policy, abi) == nil)
  }

  /// Returns the refusal of a restricted launch under a policy, or `nil` if the launch is planned.
  private static func refusal(_ policy: ResolvedPolicy, _ abi: Int) -> RestrictedMode.Refusal? {
    do {
      _ = try LaunchPlannerTests.plan(policy, identity: .restricted, landlockABI: abi, user: 1000)
      return nil
    } catch PlanError.restrictedModeUnavailable(let refusal) { return refusal } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  @Test func `the ruleset of the state root allows the shown paths and the session's own files`() throws {
    let plan = try LaunchPlannerTests.plan(identity: .restricted, user: 1000)
    let landlock = try #require(plan.restrictions.landlock)
    let paths = landlock.stateRootRules.map(\.path)
    #expect(paths.contains("/usr") && paths.contains("/tmp"), "\(paths)")
    #expect(!paths.contains { $0 == "/" || $0 == "/var" || $0.hasPrefix("/var/lib") }, "\(paths)")
    #expect(!plan.restrictions.socketFilter.isEmpty)
    #expect(try LaunchPlannerTests.plan().restrictions.socketFilter.isEmpty)
  }
}
