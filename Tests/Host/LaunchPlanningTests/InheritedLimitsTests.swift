// SPDX-License-Identifier: Apache-2.0

import SandboxLaunch
import SandboxPolicy
import Testing

@testable import LaunchPlanning

/// Session limits in relation to the host's own limits.
@Suite struct InheritedLimitsTests {
  private static let wanted: [LaunchPlan.ResourceLimit] = [
    .init(.coreSize, 0), .init(.descriptors, 1024), .init(.lockedMemory, 64 << 10),
    .init(.processorTime, soft: 60, hard: 65),
  ]

  /// Returns the session limits under the given hard limits of the host.
  private static func fit(_ hard: [Resource: UInt64]) throws -> [LaunchPlan.ResourceLimit] {
    try InheritedLimits.fit(wanted) { hard[$0] }
  }

  @Test func `keeps limits that are below the host limits`() throws {
    #expect(try Self.fit([:]) == Self.wanted)
    #expect(try Self.fit([.descriptors: 1024, .lockedMemory: .max, .coreSize: 0]) == Self.wanted)
  }

  @Test func `lowers a limit chosen by the launcher to the host limit`() throws {
    let found = try Self.fit([.lockedMemory: 4096, .descriptors: 2048])
    #expect(found[2] == .init(.lockedMemory, 4096))
    #expect(found[0] == Self.wanted[0] && found[1] == Self.wanted[1] && found[3] == Self.wanted[3])
  }

  @Test func `refuses a policy limit above the host limit`() throws {
    #expect(throws: PlanError.limitAboveHost(.descriptors, wanted: 1024, maximum: 1023)) {
      _ = try Self.fit([.descriptors: 1023])
    }
    // The hard limit, up to which an extension may raise its soft limit, does not matter.
    #expect(try Self.fit([.processorTime: 62])[3] == .init(.processorTime, soft: 60, hard: 62))
  }
}
