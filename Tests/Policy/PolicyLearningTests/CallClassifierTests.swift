// SPDX-License-Identifier: Apache-2.0

import PolicyLearning
import SandboxPolicy
import Testing

/// Classifies calls under a policy and selects the arguments to record.
@Suite struct CallClassifierTests {
  private static let creating: UInt64 = 0o101

  @Test func `classifies a call as used, needed, answered, denied or core`() throws {
    #expect(try LearningFixture.call("getpid").status == .used)
    #expect(try LearningFixture.call("sync").status == .needed)
    #expect(try LearningFixture.call("sysinfo").status == .answered)
    #expect(try LearningFixture.call("fork", by: "strict").status == .denied)
    #expect(try LearningFixture.call("socket", 2, 1).status == .core)
    #expect(try LearningFixture.call("ioctl", 0, 0x5412).status == .core)
    #expect(try LearningFixture.call("ioctl", 0, 0x1_0000_5412).status == .core)
    #expect(try LearningFixture.call("ioctl", 0, 0x5430).status == .needed)
    #expect(try LearningFixture.call("clone", 0x1000_0011).status == .core)
    #expect(try LearningFixture.call("clone", 0x11, by: "strict").status == .needed)
  }

  @Test func `records the arguments that select the operation of a refused call`() throws {
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

  @Test func `records a mode only if the call creates a file`() throws {
    let reading = try LearningFixture.call("openat", 3, 0x7FFF, 0, 0o4777)
    #expect(reading.status == .used && reading.arguments == [.init(index: 2, value: 0)])
    let making = try LearningFixture.call("openat", 3, 0x7FFF, Self.creating, 0o4777)
    #expect(making.status == .needed && making.arguments.contains(.init(index: 3, value: 0o4777)))
  }

  @Test func `records no arguments of execve`() throws {
    let call = try LearningFixture.call("execve", 0x7FFF, 0x7FFE, by: "strict")
    #expect(call.status == .needed && call.arguments.isEmpty)
  }

  @Test func `an unknown call number gives nil`() throws {
    #expect(
      try LearningFixture.classifier("base").classify(number: 9999, arguments: [0, 0, 0, 0, 0, 0]) == nil
    )
  }
}
