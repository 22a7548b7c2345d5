// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import JSONText
import PolicyInterchange
import SandboxPolicy
import SystemCalls
import Testing

/// Imports profiles as policies.
@Suite struct PolicyImportTests {
  let space = CallSpace()

  /// Returns the imported policy of a profile and the reported losses.
  private func imported(_ profile: CallProfile) throws -> (policy: ResolvedPolicy, losses: [InterchangeLoss])
  {
    let foreign = ForeignProfile(profile)
    let result = try PolicyImport(foreign, name: "mine", description: "")
    let document = try PolicyParser.parse(result.document.bytes(.indented), source: "mine.json")
    return (try PolicyLibrary().resolve(document), result.losses)
  }

  /// Returns the calls that a policy allows and the profile does not.
  private func surplus(_ policy: ResolvedPolicy, _ profile: CallProfile) throws -> [InterchangeLoss] {
    let original = try profile.behavior(in: space)
    let result = try CallProfile(policy).behavior(in: space)
    return try AllowanceComparison(original: original, under: .unknown, result: result).losses()
      .filter { $0.consequence == .weaker }
  }

  @Test func `large profiles become policies that keep the core and allow nothing more`() throws {
    let profiles = [
      PeerDefaults.docker.profile, PeerDefaults.systemdService.profile, try podman().profile,
      try flatpak().profile, PeerDefaults.bubblewrap.profile,
    ]
    for profile in profiles {
      let (policy, losses) = try imported(profile)
      #expect(policy.execute == .any)
      #expect(try surplus(policy, profile) == [])
      #expect(policy.calls.allSatisfy { PolicyCore.violation(of: $0) == nil })
      #expect(policy.calls.count > 150)
      #expect(losses.contains { $0.location == "socket" && $0.consequence == .stricter })
      #expect(losses.contains { $0.location == "ioctl" && $0.consequence == .stricter })
    }
  }

  @Test func `a 64-bit comparison of a 32-bit argument is kept and reported`()
    throws
  {
    let rule = CallProfile.Rule(["fcntl"], .allow, where: [ArgumentComparison(1, .equal, 4)])
    let (policy, losses) = try imported(CallProfile(defaultAction: .errno(1), rules: [rule]))
    #expect(policy.allows("fcntl", [0, 4]))
    #expect(!policy.allows("fcntl", [0, 5]))
    #expect(
      losses.contains { $0.kind == .upperHalf(call: "fcntl", argument: 1) && $0.consequence == .none }
    )
  }

  @Test func `a comparison that policies cannot express is omitted and reported with a call`() throws {
    // The kernel reads all 64 bits of a length.
    let rule = CallProfile.Rule(["read"], .allow, where: [ArgumentComparison(2, .less, 4096)])
    let (policy, losses) = try imported(CallProfile(defaultAction: .errno(1), rules: [rule]))
    #expect(policy.rules(for: "read").isEmpty)
    let loss = try #require(losses.first { $0.location == "read" })
    #expect(loss.consequence == .stricter)
    #expect("\(loss)".contains("read(0, NULL, 0)"), "\(loss)")
  }

  @Test func `ranges and inequalities become equivalent rules`() throws {
    let rules = [
      CallProfile.Rule(["fcntl"], .allow, where: [ArgumentComparison(1, .lessOrEqual, 20)]),
      CallProfile.Rule(["madvise"], .allow, where: [ArgumentComparison(2, .notEqual, 9)]),
      CallProfile.Rule(["kill"], .allow, where: [ArgumentComparison(1, .greater, 8)]),
    ]
    let (policy, losses) = try imported(CallProfile(defaultAction: .errno(1), rules: rules))
    for value: UInt64 in 0...40 {
      #expect(policy.allows("fcntl", [0, value]) == (value <= 20))
      #expect(policy.allows("madvise", [0, 0, value]) == (value != 9))
      #expect(policy.allows("kill", [0, value]) == (value > 8))
    }
    #expect(!losses.contains { $0.consequence == .stricter })
  }

  @Test func `calls of the core are narrowed if possible and omitted otherwise`() throws {
    let rules = [CallProfile.Rule(["clone", "ioctl", "prlimit64", "mount", "personality"], .allow)]
    let (policy, losses) = try imported(CallProfile(defaultAction: .errno(1), rules: rules))
    #expect(policy.allows("clone", [0x11]) && !policy.allows("clone", [0x1000_0000]))
    #expect(policy.allows("prlimit64", [0]) && !policy.allows("prlimit64", [1]))
    #expect(policy.allows("personality", [0xFFFF_FFFF]) && !policy.allows("personality", [4]))
    #expect(policy.rules(for: "ioctl").isEmpty && policy.rules(for: "mount").isEmpty)
    for call in ["clone", "ioctl", "prlimit64", "mount", "personality"] {
      #expect(losses.contains { $0.location == call && $0.consequence == .stricter }, "\(call)")
    }
  }
}
