// SPDX-License-Identifier: Apache-2.0

import JSONText
import Policies
import PolicyLearning
import SandboxPolicy
import Testing

/// Creates the smallest policy change that allows the needed calls.
@Suite struct PolicyProposalTests {
  /// Returns the policy after a proposed change of a shipped policy.
  private static func changed(_ proposal: PolicyProposal, base: String = "capture") throws -> ResolvedPolicy {
    let document = proposal.document(of: .named(base), for: ["/usr/bin/tool"], runs: 1)
    let parsed = try PolicyParser.parse(document.bytes(.indented), source: "proposal.json")
    return try PolicyLibrary(texts: ShippedPolicies.texts).resolve(parsed)
  }

  @Test func `allows the needed calls with the observed values only`() throws {
    let memory = try LearningFixture.call("mlockall", 1)
    let request = try LearningFixture.call("ioctl", 0, 0x5430)
    let profile = LearningFixture.profile([[memory, request, try LearningFixture.call("getpid")]])
    let policy = try Self.changed(PolicyProposal(profile))
    #expect(policy.allows("mlockall", [1, 0, 0, 0, 0, 0]))
    #expect(!policy.allows("mlockall", [2, 0, 0, 0, 0, 0]))
    #expect(policy.allows("ioctl", [9, 0x5430, 9, 0, 0, 0]))
    #expect(!policy.allows("ioctl", [9, 0x5431, 9, 0, 0, 0]))
    #expect(policy.calls.count == (try LearningFixture.policy("capture")).calls.count + 2)
  }

  @Test func `every entry of a proposal is necessary`() throws {
    let needed: [(String, [UInt64])] = [
      ("mlockall", [1]), ("sync", []), ("ioctl", [0, 0x5430]), ("ioctl", [0, 0x5431]),
      ("openat", [3, 0, 0o101, 0o4755]), ("renameat2", [0, 0, 0, 0, 4]), ("inotify_init1", [0x80000]),
    ]
    let judge = try LearningFixture.classifier("capture")
    let calls = try needed.map { name, arguments in
      let number = try #require(SystemCallTable.native.numbers[name])
      let padded = arguments + Array(repeating: 0, count: 6 - arguments.count)
      return try #require(judge.classify(number: number, arguments: padded))
    }
    let proposal = PolicyProposal(LearningFixture.profile([calls]))
    #expect(proposal.additions.count == needed.count)
    let whole = try Self.changed(proposal)
    for (name, arguments) in needed { #expect(whole.allows(name, arguments), "\(name)") }
    for index in proposal.additions.indices {
      var rules = proposal.additions.map(\.rule)
      rules.remove(at: index)
      var policy = try LearningFixture.policy("capture")
      policy.calls += rules
      let refused = needed.filter { !policy.allows($0.0, $0.1) }
      #expect(refused.count == 1, "\(proposal.additions[index])")
    }
  }

  @Test func `many combinations of flags become one rule that allows no other flag`()
    throws
  {
    let calls = try (0..<16).map { try LearningFixture.call("inotify_add_watch", 3, 0x7FFF, $0) }
    let proposal = PolicyProposal(LearningFixture.profile([calls]))
    let addition = try #require(proposal.additions.first)
    #expect(proposal.additions.count == 1 && addition.isGeneralized && addition.count == 16)
    #expect(addition.rule.conditions == [.init(index: 2, mask: ~0xF, value: 0)])
    let policy = try Self.changed(proposal)
    #expect(policy.allows("inotify_add_watch", [3, 0, 0xF]))
    #expect(!policy.allows("inotify_add_watch", [3, 0, 0x10]))
  }

  @Test func `many ioctl requests never become a rule that the core forbids`() throws {
    let calls = try (0..<70).map { try LearningFixture.call("ioctl", 0, 0x10000 + $0) }
    let proposal = PolicyProposal(LearningFixture.profile([calls]))
    #expect(proposal.additions.count == LearningLedger.maximumKindsPerCall)
    #expect(proposal.additions.allSatisfy { PolicyCore.violation(of: $0.rule) == nil })
    _ = try Self.changed(proposal)
  }

  @Test func `executed programs set the execute permission to any`() throws {
    let calls = [try LearningFixture.call("execve", by: "strict")]
    let proposal = PolicyProposal(LearningFixture.profile([calls], base: "strict"))
    #expect(proposal.executions == 1 && proposal.additions.isEmpty)
    #expect(try Self.changed(proposal, base: "strict").execute == .any)
  }

  @Test func `omits answered, denied and core calls`() throws {
    let calls = [
      try LearningFixture.call("sysinfo"), try LearningFixture.call("socket", 1, 1),
      try LearningFixture.call("fork", by: "strict"),
    ]
    #expect(PolicyProposal(LearningFixture.profile([calls])).isEmpty)
  }

  @Test func `a proposal for a document is a changed copy of the document`() throws {
    let own: JSONValue = [
      "name": "mine", "extends": "capture", "syscalls": ["allow": ["sync"], "deny": ["flock"]],
      "limits": ["processes": 7],
    ]
    let calls = [try LearningFixture.call("inotify_init1", 0)]
    let changed = PolicyProposal(LearningFixture.profile([calls])).document(
      of: .document(own),
      for: ["tool"],
      runs: 2
    )
    #expect(changed["name"] == "mine" && changed["limits"] == own["limits"])
    #expect(changed["syscalls"]?["deny"] == ["flock"])
    #expect(changed["syscalls"]?["allow"]?.elements?.count == 2)
    #expect(changed["syscalls"]?["allow"]?.elements?.first == "sync")
  }

  @Test(arguments: [["/usr/bin/FFmpeg"], ["9p"], ["--"], [String(repeating: "x", count: 99)], ["Grüße"], []])
  func `the proposed policy has a valid name`(subject: [String]) throws {
    let profile = LearningFixture.profile([[try LearningFixture.call("sync")]])
    let document = PolicyProposal(profile).document(of: .named("base"), for: subject, runs: 1)
    _ = try PolicyParser.parse(document.bytes(), source: "proposal.json")
    #expect(document["name"]?.string?.hasSuffix("-learned") == true)
  }

  @Test func `reports rules that the recorded runs did not use`() throws {
    let policy = try LearningFixture.policy("capture")
    let calls = [try LearningFixture.call("getpid"), try LearningFixture.call("fcntl", 0, 3)]
    let unused = UnusedRules(policy, LearningFixture.profile([calls]), assumed: ["write"])
    #expect(!unused.calls.contains("getpid") && !unused.calls.contains("write"))
    #expect(unused.calls.contains("flock") && !unused.calls.contains("fcntl"))
    // The recorded command matches only the first of the three rules.
    #expect(unused.rules.count { $0.call == "fcntl" } == 2)
  }
}
