// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Synchronization
import Testing

/// Every durable operation at each of its calls: one that fails, does a part, or is the last of its process.
@Suite(.serialized, .timeLimit(longestWalk)) struct CallFaultTests {
  /// The places in the code whose errors were tried with an earlier operation.
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

  /// What every command does first on a root that is there; one operation is enough to try it.
  private static func common(_ bench: FaultBench) throws -> Set<String> {
    let template = "\(bench.directory)/prepared"
    try bench.work(template, ["session", "least"])
    return Set(try Walk(bench, name: "prepare", template: template, order: ["prepare"]).points().map(\.shape))
  }
}

/// Does work that waits for processes on a thread of its own: the task pool would be held up.
func onThread<Product: Sendable>(_ body: @escaping @Sendable () throws -> Product) async throws -> Product {
  let result: Result<Product, any Error> = await withCheckedContinuation { continuation in
    do {
      _ = try PlainThread.start(name: "walk") { continuation.resume(returning: Result { try body() }) }
    } catch { continuation.resume(returning: .failure(error)) }
  }
  return try result.get()
}

/// What a walk came to.
struct WalkResult: Sendable {
  /// What was walked through.
  let name: String
  /// How many injuries were tried.
  var count = 0
  /// What was wrong.
  var faults: [String] = []

  /// Says how much was tried, and records what was wrong.
  func report() {
    for fault in faults.prefix(20) { Issue.record("\(fault)") }
    if !faults.isEmpty { Issue.record("\(faults.count) of \(count) injuries of \(name) were not survived") }
    print("\(name): \(count) injuries")
  }
}
