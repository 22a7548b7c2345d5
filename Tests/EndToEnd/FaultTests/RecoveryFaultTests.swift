// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Synchronization
import Testing

/// Tests that inject faults into each call of the recovery after interrupted operations.
@Suite(.serialized, .timeLimit(campaignTimeLimit)) struct RecoveryFaultTests {
  /// The interrupted operations.
  private static let operations = [
    "full-session", "renamed-files", "invalidate", "uninstall", "update", "ingest",
  ]

  /// The normalized calls whose errors an earlier operation has covered.
  private static let testedCalls = Mutex(Set<String>())

  @Test(arguments: RecoveryFaultTests.operations)
  func `a second recovery completes a recovery that failed or died at any call`(name: String) async throws {
    let result = try await runOnThread {
      var result = CampaignResult(name: "recovery of \(name)")
      let operation = try #require(StoreOperation.named(name))
      let harness = try FaultHarness()
      let campaign = try OperationCampaign(harness, operation)
      var coveredCalls: Set<String> = []
      for injection in Self.selectedInjections(try campaign.points()) {
        let recovery = campaign.recovery(from: injection)
        let points = try recovery.points()
        // Calls that the recovery from another interruption has covered are skipped.
        let injections = Self.testedCalls.withLock {
          FaultInjection.all(points, commonCalls: coveredCalls, testedCalls: &$0)
        }
        let recoveryResult = try recovery.run(injections)
        result.count += recoveryResult.count
        result.failures += recoveryResult.failures
        if !isExhaustive { coveredCalls.formUnion(points.map(\.normalizedCall)) }
      }
      return result
    }
    result.report()
  }

  /// Returns kills at points across the whole operation: in CI only after renames, otherwise after each
  /// distinct call that changes files. Recovery finds the same state after another kill at the same call.
  private static func selectedInjections(_ points: [FaultPoint]) -> [FaultInjection] {
    var testedCalls: Set<String> = []
    return points.filter { point in
      point.changesFiles && testedCalls.insert(point.normalizedCall).inserted
        && (isExhaustive || point.call.hasPrefix("rename"))
    }
    .map { FaultInjection(point: $0, action: "kill-after") }
  }
}
