// SPDX-License-Identifier: Apache-2.0

import HostDiagnosis
import LaunchPlanning
import LinuxPrimitives
import SandboxLaunch
import SandboxPolicy
import SessionStore
import Testing

/// Diagnoses a policy from a trial and from facts about the machine.
@Suite struct PolicyDiagnosisTests {
  private static let enforcedLayers: [SessionRecord.Layer] = [
    .init(name: "userNamespace", state: .enforced),
    .init(name: "limits", state: .enforced, detail: "11 rlimits"),
    .init(name: "landlock", state: .enforced, detail: "19 rules"),
  ]

  private static func finding(
    _ trial: (inout PolicyTrial) -> Void = { _ in },
    _ machine: (inout MachineFacts) -> Void = { _ in }
  ) throws -> PolicyFinding {
    var outcome = PolicyTrial()
    outcome.layers = enforcedLayers
    trial(&outcome)
    var facts = MachineFacts()
    machine(&facts)
    return PolicyDiagnosis.finding("base", try PolicyFinder.find("base").policy, outcome, facts)
  }

  @Test func `a policy with every layer is complete`() throws {
    let finding = try Self.finding()
    #expect(finding.status == .full)
    #expect(finding.layers.allSatisfy { $0.state == .enforced && $0.fixes.isEmpty })
    #expect(finding.remarks == [])
  }

  @Test(arguments: 1...7) func `reports the features that an older Landlock ABI lacks`(abi: Int) throws {
    let finding = try Self.finding {
      $0.layers?[2].state = LandlockDiagnosis.state(abi: abi)
    } _: {
      $0.landlock = .abi(abi)
    }
    let landlock = try #require(finding.layers.last)
    // Landlock ABI 6 has all required rights; ABI 7 adds audit logs.
    #expect(landlock.state == (abi < 6 ? .degraded : .enforced))
    #expect(finding.status == (abi < 6 ? .degraded : .full))
    let missingFeatures = [
      (2, "moved"), (3, "truncated"), (4, "TCP"), (5, "ioctl"), (6, "abstract sockets"), (7, "audit log"),
    ]
    for (version, words) in missingFeatures {
      #expect(landlock.detail.contains(words) == (abi < version), "\(landlock.detail)")
    }
    #expect(landlock.fixes.isEmpty == (abi >= 6))
  }

  @Test func `a policy without Landlock is degraded with a reason`() throws {
    let finding = try Self.finding {
      $0.layers?[2] = .init(name: "landlock", state: .missing, detail: "best effort")
    } _: {
      $0.landlock = .refused(.notSupported)
    }
    #expect(finding.status == .degraded)
    let landlock = try #require(finding.layers.last)
    #expect(landlock.state == .missing && landlock.detail.contains("not in the list"))
    #expect(landlock.fixes.first?.commands.contains { $0.contains("lsm=landlock") } == true)
  }

  @Test func `an omitted requirement makes the policy unavailable even if the sandbox starts`() throws {
    let finding = try Self.finding {
      $0.obstacles = [.plan(.limitAboveHost(.descriptors, wanted: 1024, maximum: 256))]
    }
    #expect(finding.status == .unavailable)
    #expect(finding.layers.map(\.state) == [.enforced, .missing, .enforced])
    #expect(finding.layers[1].fixes.first?.commands == ["ulimit -H -n 1024"])
  }

  @Test func `a failed launch reports that later layers were not reached`() throws {
    let finding = try Self.finding {
      $0.layers = nil
      $0.obstacles = [.step(.init("cloneSession", .userNamespace, .noSpace, sentence: "no"))]
    } _: {
      $0.namespaceLimits = ["user": 0]
    }
    #expect(finding.status == .unavailable)
    #expect(finding.layers.map(\.name) == ["userNamespace"])
    #expect(finding.remarks.contains { $0.contains("not reached") })
  }

  @Test func `distinguishes a program that cannot run from a missing layer`() throws {
    let finding = try Self.finding { $0.programFault = "it exited with code 127" }
    #expect(finding.status == .full)
    #expect(finding.remarks.contains { $0.contains("/usr/bin/true") && $0.contains("127") })
  }

  @Test func `reports too little free space for a session`() throws {
    let finding = try Self.finding { _ in
    } _: {
      $0.stateRoot = .init(path: "/var/x", free: 1 << 20)
    }
    #expect(finding.remarks.contains { $0.contains("8192 MiB") && $0.contains("1 MiB are free") })
  }

  @Test func `a policy is degraded without a control group and has a fix`() throws {
    let finding = try Self.finding {
      $0.layers?.append(.init(name: "controlGroup", state: .degraded, detail: "no delegated subtree"))
      $0.controlGroupFixes = [Fix("Mount cgroup2")]
    }
    #expect(finding.status == .degraded)
    let group = LayerFinding("controlGroup", .degraded, "no delegated subtree", [Fix("Mount cgroup2")])
    #expect(finding.layers.last == group)
  }

  @Test func `a restricted trial keeps its layer states and names what refuses namespaces`() throws {
    let finding = try Self.finding {
      $0.layers = [
        .init(name: "userNamespace", state: .missing, detail: "no space"),
        .init(
          name: "timeNamespace",
          state: .missing,
          detail: "the clocks reveal when the machine was started"
        ),
      ]
      $0.restriction = .step(.init("cloneSession", .userNamespace, .noSpace, sentence: "no"))
      $0.denials = [
        .init(
          access: "tcp",
          mechanisms: ["seccomp", "landlock"],
          checks: ["policyFilter", "policyRuleset"]
        ),
        .init(access: "udp", mechanisms: ["seccomp"], checks: ["policyFilter", "socketFilter"]),
      ]
    } _: {
      $0.namespaceLimits = ["user": 0]
    }
    #expect(finding.status == .degraded && finding.layers.map(\.state) == [.missing, .missing])
    #expect(finding.layers[0].fixes.first?.commands.first?.contains("max_user_namespaces") == true)
    #expect(finding.layers[1].detail.contains("when the machine was started"))
    #expect(finding.remarks.contains { $0.contains("restricted") })
    let single = finding.remarks.filter { $0.contains("a single mechanism") }
    #expect(single.count == 1, "\(single)")
    #expect(single.first?.contains("udp") == true && single.first?.contains("seccomp") == true)
  }

  @Test(arguments: [
    ("noexec", MachineFinding.State.missing), ("elsewhere", .missing), ("nfs", .advice), ("full", .advice),
    ("ext4", .present),
  ]) func `judges the file system of the state root`(kind: String, expected: MachineFinding.State) {
    var facts = MachineFacts()
    var place = MachineFacts.StorageLocation(path: "/srv/state")
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
    #expect(findings.allSatisfy { $0.fixes.isEmpty == (expected == .present) })
    facts.identity = .other(user: 7, group: 7)
    let findingsAsRoot = MachineDiagnosis.findings(facts).filter { $0.name == "state root" }
    if kind == "nfs" { #expect(findingsAsRoot.map(\.state) == [.missing]) }
  }

  @Test func `zram swap is accepted and disk swap is reported`() {
    var facts = MachineFacts()
    facts.swaps = ["/dev/zram0"]
    #expect(MachineDiagnosis.findings(facts).first { $0.name == "scratch" }?.state == .present)
    facts.swaps = ["/dev/zram0", "/dev/sda2"]
    let scratch = MachineDiagnosis.findings(facts).first { $0.name == "scratch" }
    #expect(scratch?.state == .advice)
    #expect(scratch?.fixes.first?.commands == ["swapoff /dev/sda2"])
  }

  @Test func `reports whether mounts have unique ids`() {
    var facts = MachineFacts()
    let finding = { MachineDiagnosis.findings(facts).first { $0.name == "mounts" } }
    #expect(finding()?.detail.contains("a server keeps its prepared roots") == true)
    facts.hasUniqueMountIDs = false
    #expect(finding()?.detail.contains("requires Linux 6.8") == true && finding()?.state == .present)
  }

  @Test func `a trial omits requirements that can be omitted and stops at others`() throws {
    var policy = try PolicyFinder.find("base").policy
    // Parsers and compilers reject this rule.
    policy.calls.append(SyscallRule(call: "socket", origin: policy.executeOrigin))
    let trial = PolicyTrial.run(policy)
    #expect(trial.obstacles.count == 1 && trial.layers == nil)
    policy.calls.removeLast()
    policy.readOnly += ["/nowhere/a", "/nowhere/b"].map { ReadOnlyPath($0, origin: policy.executeOrigin) }
    // The trial reports each omitted requirement, and the sandbox then starts.
    let relaxed = PolicyTrial.run(policy)
    #expect(relaxed.obstacles.count == 2)
  }
}
