// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Synchronization
import Testing

/// Tests that inject faults into each system call of every durable operation: an error, a partial transfer,
/// or a kill.
@Suite(.serialized, .timeLimit(longestWalk)) struct CallFaultTests {
  /// The normalized calls whose errors an earlier operation has covered.
  private static let tried = Mutex(Set<String>())

  @Test(arguments: StoreOperation.all)
  func `nothing is lost, doubled or left whichever call goes wrong`(operation: StoreOperation) async throws {
    let result = try await onThread {
      let bench = try FaultBench()
      let walk = try Walk(bench, operation)
      let points = try walk.points()
      let common = operation.name == "first-session" ? [] : try Self.common(bench)
      return try walk.run(Self.tried.withLock { Injury.all(points, common: common, seen: &$0) })
    }
    result.report()
  }

  /// Returns the calls that every command makes first on an existing root. One operation covers them.
  private static func common(_ bench: FaultBench) throws -> Set<String> {
    let template = "\(bench.directory)/prepared"
    try bench.work(template, ["session", "least"])
    return Set(try Walk(bench, name: "prepare", template: template, order: ["prepare"]).points().map(\.shape))
  }
}

/// Runs blocking work on a dedicated thread, because it would block the threads of the task pool.
func onThread<Product: Sendable>(_ body: @escaping @Sendable () throws -> Product) async throws -> Product {
  let result: Result<Product, any Error> = await withCheckedContinuation { continuation in
    do {
      _ = try PlainThread.start(name: "walk") { continuation.resume(returning: Result { try body() }) }
    } catch { continuation.resume(returning: .failure(error)) }
  }
  return try result.get()
}

/// The result of a fault injection campaign.
struct WalkResult: Sendable {
  /// The name of the campaign.
  let name: String
  /// The number of injected faults.
  var count = 0
  /// Descriptions of the failures.
  var faults: [String] = []

  /// Prints the number of injected faults and records the failures as issues.
  func report() {
    for fault in faults.prefix(20) { Issue.record("\(fault)") }
    if !faults.isEmpty { Issue.record("\(faults.count) of \(count) injuries of \(name) were not survived") }
    print("\(name): \(count) injuries")
  }
}
