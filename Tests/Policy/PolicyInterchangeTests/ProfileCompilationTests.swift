// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyInterchange
import SystemCalls
import TestSupport
import Testing

/// Compiles rules to programs.
@Suite(.timeLimit(.minutes(20))) struct ProfileCompilationTests {
  /// Expects that the compiled program of a profile has the behavior of the profile.
  private func expectEqual(
    _ profile: CallProfile,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let space = CallSpace()
    let program = try space.behavior(of: try profile.compiled())
    let witness = try program.difference(from: profile.behavior(in: space)).witness()
    #expect(witness == nil, sourceLocation: sourceLocation)
  }

  @Test func `compiled random minijail policies keep their meaning`() throws {
    for index in 0..<DifferentialRuns.count(50) {
      var generator = SeededGenerator(seed: DifferentialRuns.seed &* 9_000_011 &+ UInt64(index))
      let text = RandomMinijailPolicy.text(using: &generator)
      try expectEqual(try MinijailProfile(text: text).profile)
    }
  }

  @Test(arguments: [
    "SystemCallFilter=@system-service\nSystemCallFilter=~@privileged\nSystemCallErrorNumber=EPERM",
    "SystemCallFilter=~@mount @clock\nSystemCallArchitectures=native",
    "RestrictAddressFamilies=AF_UNIX\nMemoryDenyWriteExecute=yes\nRestrictNamespaces=net",
  ]) func `compiled systemd units keep their meaning`(settings: String) throws {
    try expectEqual(try SystemdProfile(text: "[Service]\n\(settings)\n").profile)
  }

  @Test(arguments: CallArchitecture.allCases)
  func `each compiled comparison keeps its meaning on each architecture`(architecture: CallArchitecture)
    throws
  {
    let values: [UInt64] = [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF, 0x1_0000_0000, 0x8000_0000_0000_0001, .max]
    let operations: [ArgumentComparison.Operation] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .anyBit, .masked(0xFF),
      .masked(0xFF_0000_00FF),
    ]
    for value in values {
      var profile = CallProfile(defaultAction: .errno(1), architectures: [architecture])
      profile.precedence = .order
      let calls = ["read", "write", "close", "ioctl", "openat", "fcntl", "dup", "pipe2", "getpid"]
      profile.rules = zip(calls, operations).enumerated().map { index, pair in
        .init([pair.0], .allow, where: [ArgumentComparison(index % 6, pair.1, value)])
      }
      profile.rules.append(.init(["ioctl", "dup"], .killProcess))
      try expectEqual(profile)
      profile.unknownNumbers = .errno(38)
      try expectEqual(profile)
    }
  }

  @Test func `rejects rules that exceed the maximum program length`() throws {
    var profile = CallProfile(defaultAction: .errno(1))
    profile.precedence = .order
    profile.rules = (0..<2000).map { .init(["read"], .allow, where: [ArgumentComparison(0, .equal, $0)]) }
    #expect(throws: ProfileCompilationError.self) { try profile.compiled() }
  }
}
