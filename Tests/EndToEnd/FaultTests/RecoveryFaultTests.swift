// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Synchronization
import Testing

/// Tests that inject faults into each call of the recovery after interrupted operations.
@Suite(.serialized, .timeLimit(longestWalk)) struct RecoveryFaultTests {
  /// The interrupted operations.
  private static let operations = [
    "full-session", "renamed-files", "invalidate", "uninstall", "update", "ingest",
  ]

  /// The normalized calls whose errors an earlier operation has covered.
  private static let tried = Mutex(Set<String>())

  @Test(arguments: RecoveryFaultTests.operations)
  func `a recovery that dies or fails is made good by the next one`(name: String) async throws {
    let result = try await onThread {
      var result = WalkResult(name: "recovery of \(name)")
      let operation = try #require(StoreOperation.named(name))
      let bench = try FaultBench()
      let walk = try Walk(bench, operation)
      var died: Set<String> = []
      for death in Self.chosen(try walk.points()) {
        let recovery = walk.recovery(from: death)
        let points = try recovery.points()
        // Calls that the recovery from another interruption has covered are skipped.
        let injuries = Self.tried.withLock { Injury.all(points, common: died, seen: &$0) }
        let walked = try recovery.run(injuries)
        result.count += walked.count
        result.faults += walked.faults
        if !triesEverything { died.formUnion(points.map(\.shape)) }
      }
      return result
    }
    result.report()
  }

  /// Returns kills at points across the whole operation: in CI only after renames, otherwise after each
  /// distinct call that changes files. Recovery finds the same state after another kill at the same call.
  private static func chosen(_ points: [FaultPoint]) -> [Injury] {
    var seen: Set<String> = []
    return points.filter { point in
      point.isChanging && seen.insert(point.shape).inserted
        && (triesEverything || point.call.hasPrefix("rename"))
    }
    .map { Injury(point: $0, action: "kill-after") }
  }
}
