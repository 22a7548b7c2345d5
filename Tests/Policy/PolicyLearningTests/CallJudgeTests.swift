// SPDX-License-Identifier: Apache-2.0

import PolicyLearning
import SandboxPolicy
import Testing

/// Classifies calls under a policy and selects the arguments to record.
@Suite struct CallJudgeTests {
  private static let creating: UInt64 = 0o101

  @Test func `a call is used, needed, answered, denied or of the core`() throws {
    #expect(try LearningFixture.call("getpid").standing == .used)
    #expect(try LearningFixture.call("sync").standing == .needed)
    #expect(try LearningFixture.call("sysinfo").standing == .answered)
    #expect(try LearningFixture.call("fork", by: "strict").standing == .denied)
    #expect(try LearningFixture.call("socket", 2, 1).standing == .core)
    #expect(try LearningFixture.call("ioctl", 0, 0x5412).standing == .core)
    #expect(try LearningFixture.call("ioctl", 0, 0x1_0000_5412).standing == .core)
    #expect(try LearningFixture.call("ioctl", 0, 0x5430).standing == .needed)
    #expect(try LearningFixture.call("clone", 0x1000_0011).standing == .core)
    #expect(try LearningFixture.call("clone", 0x11, by: "strict").standing == .needed)
  }

  @Test func `of a call that is refused the arguments are kept that choose what it does`() throws {
    #expect(
      try LearningFixture.call("socketpair", 1, 0x80001, 0, 0x7FFF).arguments == [
        .init(index: 0, value: 1), .init(index: 1, value: 0x80001),
      ]
    )
    #expect(
      try LearningFixture.call("ioctl", 7, 0x5430, 0x7FFF).arguments == [.init(index: 1, value: 0x5430)]
    )
    #expect(try LearningFixture.call("sync", 1, 2, 3).arguments.isEmpty)
  }

  @Test func `a mode counts only where a file is made`() throws {
    let reading = try LearningFixture.call("openat", 3, 0x7FFF, 0, 0o4777)
    #expect(reading.standing == .used && reading.arguments == [.init(index: 2, value: 0)])
    let making = try LearningFixture.call("openat", 3, 0x7FFF, Self.creating, 0o4777)
    #expect(making.standing == .needed && making.arguments.contains(.init(index: 3, value: 0o4777)))
  }

  @Test func `the permission to execute has no arguments`() throws {
    let call = try LearningFixture.call("execve", 0x7FFF, 0x7FFE, by: "strict")
    #expect(call.standing == .needed && call.arguments.isEmpty)
  }

  @Test func `a number that means nothing is nothing`() throws {
    #expect(try LearningFixture.judge("base").judge(number: 9999, arguments: [0, 0, 0, 0, 0, 0]) == nil)
  }
}
