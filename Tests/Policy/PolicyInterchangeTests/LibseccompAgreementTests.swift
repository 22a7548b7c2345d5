// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import JSONText
import PolicyInterchange
import SandboxEnforcement
import SandboxPolicy
import SystemCalls
import Testing

/// Proves for all calls that the meaning of a profile equals the program that libseccomp compiles from the
/// profile.
@Suite(.timeLimit(.minutes(20))) struct LibseccompAgreementTests {
  let space = CallSpace()

  /// Returns the behavior of libseccomp's program and the behavior of the profile.
  private func behaviors(_ profile: CallProfile) throws -> (program: FilterBehavior, meaning: FilterBehavior)
  {
    let program = try space.behavior(of: try LibseccompCompiler.compile(profile))
    return (program, try profile.behavior(in: space))
  }

  /// Whether libseccomp's program and the profile have the same behavior. Records a call on which they
  /// differ.
  private func agrees(_ profile: CallProfile) throws -> Bool {
    let (program, meaning) = try behaviors(profile)
    let difference = try program.difference(from: meaning)
    if let witness = try difference.witness() {
      let text =
        "\(witness): program \(program.verdict(for: witness)), meaning \(meaning.verdict(for: witness))"
      Issue.record("\(text)")
    }
    return program == meaning
  }

  /// Returns the profile without calls that this libseccomp does not know on some architecture. Container
  /// runtimes omit these calls, too.
  private func withoutUnknownCalls(_ profile: CallProfile) -> CallProfile {
    var profile = profile
    for index in profile.rules.indices {
      profile.rules[index].calls.removeAll { name in
        CallArchitecture.ofThisMachine.contains { architecture in
          // libseccomp has its own token for x32; the kernel uses the token of x86_64.
          let token = architecture == .x32 ? 0x4000_003E : architecture.auditArchitecture
          return CallTable.of(architecture).number(of: name) != nil
            && LibseccompSystemCalls.number(of: name, token: token) == nil
        }
      }
    }
    return profile
  }

  @Test func `the default profile of Docker matches libseccomp`() throws {
    #expect(try agrees(withoutUnknownCalls(PeerDefaults.docker.profile)))
  }

  @Test func `the default profile of Podman matches libseccomp`() throws {
    #expect(try agrees(podman().profile))
  }

  @Test func `the list of Flatpak matches libseccomp`() throws { #expect(try agrees(flatpak().profile)) }

  @Test(arguments: [0, 1, 2, 3])
  func `each comparison matches libseccomp on every architecture of the machine`(index: Int)
    throws
  {
    let values: [UInt64] = [0, 5, 0x1_0000_0000, 0xFFFF_FFFF_FFFF_FFFF]
    let value = values[index]
    let operations: [(String, ArgumentComparison.Operation)] = [
      ("read", .equal), ("write", .notEqual), ("lseek", .less), ("mmap", .lessOrEqual), ("dup", .greater),
      ("fsync", .greaterOrEqual), ("close", .masked(value)),
    ]
    // libseccomp cannot express comparisons that are always or never true.
    let rules = operations.compactMap { name, operation -> CallProfile.Rule? in
      if value == 0, [.less, .greaterOrEqual].contains(operation) { return nil }
      if value == .max, [.greater, .lessOrEqual].contains(operation) { return nil }
      return CallProfile.Rule([name], .allow, where: [ArgumentComparison(1, operation, value)])
    }
    let profile = CallProfile(
      defaultAction: .errno(1),
      architectures: CallArchitecture.ofThisMachine,
      rules: rules
    )
    #expect(try agrees(profile))
  }

  @Test(
    arguments: [
      // An empty mask, a bit outside the mask, and a bit outside the lower half of the mask.
      (0, 4), (3, 5), (0xFFFF_FFFF, 0x1_0000_0002), (0xF0_0000_0000, 1),
    ] as [(UInt64, UInt64)]
  )
  func `ignores bits of a value outside its mask, like libseccomp`(mask: UInt64, datum: UInt64) throws {
    let argument = RawProfile.Argument(index: 1, operation: "MASKED_EQ", value: mask, valueTwo: datum)
    let raw = RawProfile(
      defaultAction: .init(name: "ERRNO"),
      architectures: CallArchitecture.ofThisMachine,
      entries: [.init(names: ["access"], action: .init(name: "ALLOW"), arguments: [argument])]
    )
    let profile = try OCIProfile(bytes: Array(raw.json.utf8)).profile
    let program = try space.behavior(of: try LibseccompCompiler.compile(raw))
    #expect(try profile.behavior(in: space) == program)
    // A matching call is allowed, so the two programs do not agree merely by refusing everything.
    #expect(program.verdict(for: try call("access", 0, datum & mask)) == .allow)
  }

  /// Two rules of one call, and a call that libseccomp 2.5.4 allows although it matches neither rule.
  struct LibseccompFlaw: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var rules: [[ArgumentComparison]]
    var arguments: [UInt64]

    init(_ name: String, _ rules: [[ArgumentComparison]], _ arguments: [UInt64]) {
      testDescription = name
      self.rules = rules
      self.arguments = arguments
    }
  }

  static let flaws = [
    // Above 2^32 or below 3: the value 3 matches neither rule.
    LibseccompFlaw(
      "ranges of 64 bits",
      [[ArgumentComparison(0, .greater, 0x1_0000_0000)], [ArgumentComparison(0, .less, 3)]],
      [3]
    ),
    // Not 5; or not 8 with another argument other than 16.
    LibseccompFlaw(
      "inequalities of two arguments",
      [
        [ArgumentComparison(0, .notEqual, 5)],
        [ArgumentComparison(2, .notEqual, 16), ArgumentComparison(0, .notEqual, 8)],
      ],
      [5, 0, 16]
    ),
  ]

  @Test(arguments: flaws) func `a call that libseccomp allows without a rule is allowed and reported`(
    flaw: LibseccompFlaw
  ) throws {
    let arguments = flaw.rules.map { rule in
      rule.map { RawProfile.Argument(index: $0.index, operation: Self.name($0.operation), value: $0.value) }
    }
    let raw = RawProfile(
      defaultAction: .init(name: "ERRNO"),
      entries: arguments.map { .init(names: ["read"], action: .init(name: "ALLOW"), arguments: $0) }
    )
    var refused = try call("read")
    for (index, value) in flaw.arguments.enumerated() { refused.arguments[index] = value }
    let rules = try OCIProfile(bytes: Array(raw.json.utf8)).profile.behavior(in: space)
    #expect(rules.verdict(for: refused) == .errno(1))
    let program = try space.behavior(of: try LibseccompCompiler.compile(raw))
    let merged = try ForeignProfile(Array(raw.json.utf8), as: .oci, merging: .fixture)
    #expect(try merged.behavior(in: space) == program)
    // A libseccomp without this flaw causes no loss.
    let isReported = merged.losses.contains { if case .mergedRules = $0.kind { true } else { false } }
    #expect(isReported == (program.verdict(for: refused) == .allow))
  }

  private static func name(_ operation: ArgumentComparison.Operation) -> String {
    switch operation {
    case .notEqual: "NE"
    case .less: "LT"
    case .greater: "GT"
    default: "EQ"
    }
  }

  @Test func `rejects contradictory rules, like the container runtime`() throws {
    let argument = RawProfile.Argument(index: 0, operation: "EQ", value: 1)
    let raw = RawProfile(
      defaultAction: .init(name: "ERRNO"),
      entries: ["ALLOW", "LOG"].map {
        .init(names: ["read"], action: .init(name: $0), arguments: [argument])
      }
    )
    #expect(throws: LibseccompCompiler.Refusal.self) { try LibseccompCompiler.compile(raw) }
    let error = #expect(throws: InterchangeError.self) {
      try ForeignProfile(Array(raw.json.utf8), as: .oci, merging: .fixture)
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("the rules of read contradict each other"))
  }

  @Test func `overlapping rules follow the order of libseccomp, not of the document`() throws {
    // libseccomp tests higher argument indices first: the second rule wins if both match.
    let raw = RawProfile(
      defaultAction: .init(name: "ERRNO", errno: 1),
      entries: [
        .init(
          names: ["futex"],
          action: .init(name: "ERRNO", errno: 38),
          arguments: [.init(index: 1, operation: "EQ", value: 1)]
        ),
        .init(
          names: ["futex"],
          action: .init(name: "ALLOW"),
          arguments: [.init(index: 2, operation: "EQ", value: 5)]
        ),
      ]
    )
    let profile = try ForeignProfile(Array(raw.json.utf8), as: .oci, merging: .fixture)
    let behavior = try profile.behavior(in: space)
    #expect(behavior.verdict(for: try call("futex", 0, 1, 5)) == .allow)
    #expect(behavior.verdict(for: try call("futex", 0, 1, 6)) == .errno(38))
    #expect(try behavior == space.behavior(of: try LibseccompCompiler.compile(raw)))
    #expect(profile.losses.contains { "\($0)".contains("returns ALLOW instead of ERRNO(38)") })
    // A policy made from the profile allows what the container runtime allows.
    let imported = try PolicyImport(profile, name: "mine", description: "")
    let text = imported.document.bytes(.indented)
    let policy = try PolicyLibrary().resolve(try PolicyParser.parse(text, source: "mine.json"))
    #expect(policy.allows("futex", [0, 1, 5]) && !policy.allows("futex", [0, 1, 6]))
  }
}
