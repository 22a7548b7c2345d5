// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import LinuxPrimitives
import PolicyTrials
import SandboxLaunch
import SandboxPolicy
import SessionStore
import Testing

/// Diagnoses a policy from a trial and from facts about the machine.
@Suite struct PolicyDiagnosisTests {
  private static let made: [SessionRecord.Layer] = [
    .init(name: "userNamespace", state: .enforced),
    .init(name: "limits", state: .enforced, detail: "11 rlimits"),
    .init(name: "landlock", state: .enforced, detail: "19 rules"),
  ]

  private static func finding(
    _ trial: (inout PolicyTrial) -> Void = { _ in },
    _ machine: (inout MachineFacts) -> Void = { _ in }
  ) throws -> PolicyFinding {
    var outcome = PolicyTrial()
    outcome.layers = made
    trial(&outcome)
    var facts = MachineFacts()
    machine(&facts)
    return PolicyDiagnosis.finding("base", try PolicyFinder.find("base").policy, outcome, facts)
  }

  @Test func `a sandbox with every layer makes a policy whole`() throws {
    let finding = try Self.finding()
    #expect(finding.standing == .whole)
    #expect(finding.layers.allSatisfy { $0.state == .enforced && $0.mends.isEmpty })
    #expect(finding.remarks == [])
  }

  @Test(arguments: 1...7) func `an older Landlock says what it does not do`(abi: Int) throws {
    let finding = try Self.finding {
      $0.layers?[2].state = LandlockDiagnosis.state(abi: abi)
    } _: {
      $0.landlock = .abi(abi)
    }
    let landlock = try #require(finding.layers.last)
    // Landlock ABI 6 has all required rights; ABI 7 adds audit logs.
    #expect(landlock.state == (abi < 6 ? .degraded : .enforced))
    #expect(finding.standing == (abi < 6 ? .degraded : .whole))
    let lacks = [
      (2, "moved"), (3, "truncated"), (4, "TCP"), (5, "ioctl"), (6, "abstract sockets"), (7, "audit log"),
    ]
    for (version, words) in lacks {
      #expect(landlock.detail.contains(words) == (abi < version), "\(landlock.detail)")
    }
    #expect(landlock.mends.isEmpty == (abi >= 6))
  }

  @Test func `a policy that does without Landlock is degraded and says why`() throws {
    let finding = try Self.finding {
      $0.layers?[2] = .init(name: "landlock", state: .missing, detail: "best effort")
    } _: {
      $0.landlock = .refused(.notSupported)
    }
    #expect(finding.standing == .degraded)
    let landlock = try #require(finding.layers.last)
    #expect(landlock.state == .missing && landlock.detail.contains("not in the list"))
    #expect(landlock.mends.first?.commands.contains { $0.contains("lsm=landlock") } == true)
  }

  @Test func `what the trial had to leave out makes the policy absent, although the rest was made`() throws {
    let finding = try Self.finding {
      $0.obstacles = [.plan(.limitAboveHost(.descriptors, wanted: 1024, most: 256))]
    }
    #expect(finding.standing == .absent)
    #expect(finding.layers.map(\.state) == [.enforced, .missing, .enforced])
    #expect(finding.layers[1].mends.first?.commands == ["ulimit -H -n 1024"])
  }

  @Test func `a launch that ended early says that the rest was not reached`() throws {
    let finding = try Self.finding {
      $0.layers = nil
      $0.obstacles = [.step(.init("cloneSession", .userNamespace, .noSpace, sentence: "no"))]
    } _: {
      $0.namespaceLimits = ["user": 0]
    }
    #expect(finding.standing == .absent)
    #expect(finding.layers.map(\.name) == ["userNamespace"])
    #expect(finding.remarks.contains { $0.contains("not reached") })
  }

  @Test func `a program that the policy cannot run is told apart from a layer`() throws {
    let finding = try Self.finding { $0.programFault = "it ended with exit code 127" }
    #expect(finding.standing == .whole)
    #expect(finding.remarks.contains { $0.contains("/usr/bin/true") && $0.contains("127") })
  }

  @Test func `too little room for what a session may write is told`() throws {
    let finding = try Self.finding { _ in
    } _: {
      $0.stateRoot = .init(path: "/var/x", free: 1 << 20)
    }
    #expect(finding.remarks.contains { $0.contains("8192 MiB") && $0.contains("1 MiB are free") })
  }

  @Test func `a policy is degraded without a control group, and the fix is named`() throws {
    let finding = try Self.finding {
      $0.layers?.append(.init(name: "controlGroup", state: .degraded, detail: "no delegated subtree"))
      $0.controlGroupMends = [Mend("Mount cgroup2")]
    }
    #expect(finding.standing == .degraded)
    let group = LayerFinding("controlGroup", .degraded, "no delegated subtree", [Mend("Mount cgroup2")])
    #expect(finding.layers.last == group)
  }

  @Test func `a restricted trial keeps the states of its layers and names what refuses namespaces`() throws {
    let finding = try Self.finding {
      $0.layers = [
        .init(name: "userNamespace", state: .missing, detail: "no space"),
        .init(name: "timeNamespace", state: .missing, detail: "the clocks tell when the machine was started"),
      ]
      $0.restriction = .step(.init("cloneSession", .userNamespace, .noSpace, sentence: "no"))
    } _: {
      $0.namespaceLimits = ["user": 0]
    }
    #expect(finding.standing == .degraded && finding.layers.map(\.state) == [.missing, .missing])
    #expect(finding.layers[0].mends.first?.commands.first?.contains("max_user_namespaces") == true)
    #expect(finding.layers[1].detail.contains("when the machine was started"))
    #expect(finding.remarks.contains { $0.contains("restricted") })
  }

  @Test(arguments: [
    ("noexec", MachineFinding.State.missing), ("elsewhere", .missing), ("nfs", .advice), ("full", .advice),
    ("ext4", .present),
  ]) func `the state root's file system is judged`(kind: String, expected: MachineFinding.State) {
    var facts = MachineFacts()
    var place = MachineFacts.Place(path: "/srv/state")
    switch kind {
    case "noexec": place.flags = [.noExecution]
    case "elsewhere": place.elsewhere = ["trash"]
    case "nfs": place.fileSystem = "nfs4"
    case "full": place.free = 1 << 20
    default: break
    }
    facts.stateRoot = place
    let findings = MachineDiagnosis.findings(facts).filter { $0.name == "state root" }
    #expect(findings.map(\.state) == [expected], "\(findings)")
    #expect(findings.allSatisfy { $0.mends.isEmpty == (expected == .present) })
    facts.identity = .other(user: 7, group: 7)
    let ofRoot = MachineDiagnosis.findings(facts).filter { $0.name == "state root" }
    if kind == "nfs" { #expect(ofRoot.map(\.state) == [.missing]) }
  }

  @Test func `compressed memory is no disk, and other swap is`() {
    var facts = MachineFacts()
    facts.swaps = ["/dev/zram0"]
    #expect(MachineDiagnosis.findings(facts).first { $0.name == "scratch" }?.state == .present)
    facts.swaps = ["/dev/zram0", "/dev/sda2"]
    let scratch = MachineDiagnosis.findings(facts).first { $0.name == "scratch" }
    #expect(scratch?.state == .advice)
    #expect(scratch?.mends.first?.commands == ["swapoff /dev/sda2"])
  }

  @Test func `it is said when what is mounted cannot be known again`() {
    var facts = MachineFacts()
    let finding = { MachineDiagnosis.findings(facts).first { $0.name == "mounts" } }
    #expect(finding()?.detail.contains("a server knows them again") == true)
    facts.numbersMounts = false
    #expect(finding()?.detail.contains("since Linux 6.8") == true && finding()?.state == .present)
  }

  @Test func `what nobody can ease is tried once`() throws {
    var policy = try PolicyFinder.find("base").policy
    // Parsers and compilers reject this rule.
    policy.calls.append(SyscallRule(call: "socket", origin: policy.executeOrigin))
    let trial = PolicyTrial.run(policy)
    #expect(trial.obstacles.count == 1 && trial.layers == nil)
    policy.calls.removeLast()
    policy.readOnly += ["/nowhere/a", "/nowhere/b"].map { ReadOnlyPath($0, origin: policy.executeOrigin) }
    // The trial reports each omitted requirement, and the sandbox then starts.
    let eased = PolicyTrial.run(policy)
    #expect(eased.obstacles.count == 2)
  }
}
