// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Synchronization
import Testing

/// Recovery itself at each of its calls, after operations that were interrupted at different moments.
@Suite(.serialized, .timeLimit(longestWalk)) struct RecoveryFaultTests {
  /// The operations whose interruptions are recovered.
  private static let operations = [
    "full-session", "renamed-files", "invalidate", "uninstall", "update", "ingest",
  ]

  /// The places in the code whose errors were tried with an earlier operation.
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
        // What another interruption has shown already.
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

  /// Interruptions that are spread over the whole operation: within a gate's time those after a rename, else one at each
  /// place in the code that changes something. After another death at the same place recovery finds the same.
  private static func chosen(_ points: [FaultPoint]) -> [Injury] {
    var seen: Set<String> = []
    return points.filter { point in
      point.isChanging && seen.insert(point.shape).inserted
        && (triesEverything || point.call.hasPrefix("rename"))
    }
    .map { Injury(point: $0, action: "kill-after") }
  }
}
