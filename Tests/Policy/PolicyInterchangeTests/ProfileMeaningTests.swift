// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyInterchange
import SystemCalls
import Testing

/// Evaluates profiles for single calls.
@Suite struct ProfileMeaningTests {
  let space = CallSpace()

  @Test func `an unconditional rule precedes conditional rules, and the first of several wins`() throws {
    var profile = CallProfile(defaultAction: .errno(1))
    profile.rules = [
      .init(["read"], .log, where: [ArgumentComparison(0, .equal, 1)]), .init(["read"], .allow),
      .init(["read"], .killProcess), .init(["write"], .log, where: [ArgumentComparison(0, .equal, 1)]),
      .init(["write"], .allow, where: [ArgumentComparison(1, .equal, 2)]),
    ]
    let behavior = try profile.behavior(in: space)
    #expect(behavior.verdict(for: try call("read", 1)) == .allow)
    #expect(behavior.verdict(for: try call("write", 1, 2)) == .log)
    #expect(behavior.verdict(for: try call("write", 0, 2)) == .allow)
    #expect(behavior.verdict(for: try call("write", 0, 3)) == .errno(1))
    profile.precedence = .order
    #expect(try profile.behavior(in: space).verdict(for: try call("read", 1)) == .log)
  }

  @Test func `every comparison is exact at its bounds`() throws {
    let high: UInt64 = 0x1_0000_0005
    let expected: [(ArgumentComparison.Operation, [UInt64], [UInt64])] = [
      (.equal, [high], [5, high - 1, .max]), (.notEqual, [5, .max, high + 1], [high]),
      (.less, [0, 5, high - 1], [high, .max]), (.lessOrEqual, [high, 0], [high + 1, .max]),
      (.greater, [high + 1, .max], [high, 5, 0]), (.greaterOrEqual, [high, .max], [high - 1, 5]),
      (.masked(0x1_0000_000F), [high, high + 0x10], [5, high + 1]), (.anyBit, [1, 4, 1 << 32], [0, 2, 8]),
    ]
    for (operation, inside, outside) in expected {
      let rule = CallProfile.Rule(["read"], .allow, where: [ArgumentComparison(2, operation, high)])
      let behavior = try CallProfile(defaultAction: .errno(1), rules: [rule]).behavior(in: space)
      for value in inside { #expect(behavior.verdict(for: try call("read", 0, 0, value)) == .allow) }
      for value in outside { #expect(behavior.verdict(for: try call("read", 0, 0, value)) == .errno(1)) }
    }
  }

  @Test(.enabled(if: CallArchitecture.native == .x86))
  func `distinguishes architectures, including x32, and compares lower halves on 32-bit ones`() throws {
    let rule = CallProfile.Rule(["personality"], .allow, where: [ArgumentComparison(0, .equal, 8)])
    var profile = CallProfile(defaultAction: .errno(1), architectures: [.x86, .i386], rules: [rule])
    var behavior = try profile.behavior(in: space)
    let wide: UInt64 = 0xFFFF_FFFF_0000_0008
    #expect(behavior.verdict(for: try call("personality", 8)) == .allow)
    #expect(behavior.verdict(for: try call("personality", wide)) == .errno(1))
    #expect(behavior.verdict(for: try call("personality", wide, on: .i386)) == .allow)
    #expect(behavior.verdict(for: try call("personality", 8, on: .x32)) == .killThread)
    #expect(behavior.verdict(for: try call("personality", 8, on: .arm64)) == .killThread)
    let skipped = SeccompData(architecture: CallArchitecture.x86.auditArchitecture, number: .max)
    #expect(behavior.verdict(for: skipped) == .errno(1))
    profile.architectures.append(.x32)
    behavior = try profile.behavior(in: space)
    #expect(behavior.verdict(for: try call("personality", wide, on: .x32)) == .allow)
  }

  @Test func `rules for socket calls also apply to socketcall`() throws {
    let rule = CallProfile.Rule(["accept"], .allow, where: [ArgumentComparison(1, .equal, 7)])
    let profile = CallProfile(defaultAction: .errno(1), architectures: [.i386], rules: [rule])
    let behavior = try profile.behavior(in: space)
    #expect(behavior.verdict(for: try call("socketcall", 5, 7, on: .i386)) == .allow)
    #expect(behavior.verdict(for: try call("socketcall", 5, 8, on: .i386)) == .errno(1))
    #expect(behavior.verdict(for: try call("socketcall", 4, 7, on: .i386)) == .errno(1))
    #expect(profile.unknownNames.isEmpty)
  }

  @Test func `an unfiltered profile allows every call`() throws {
    let everything = try space.behavior(.allow)
    #expect(try CallProfile.unfiltered.behavior(in: space) == everything)
  }
}
