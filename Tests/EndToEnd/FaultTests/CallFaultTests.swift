// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Synchronization
import Testing

/// Tests that inject faults into each system call of every durable operation: an error, a partial transfer,
/// or a kill.
@Suite(.serialized, .timeLimit(campaignTimeLimit)) struct CallFaultTests {
  /// The normalized calls whose errors an earlier operation has covered.
  private static let testedCalls = Mutex(Set<String>())

  @Test(arguments: StoreOperation.all)
  func `loses and duplicates nothing and leaves nothing behind, whichever call fails or is the last`(
    operation: StoreOperation
  ) async throws {
    let result = try await runOnThread {
      let harness = try FaultHarness()
      let campaign = try OperationCampaign(harness, operation)
      let points = try campaign.points()
      let commonCalls = operation.name == "first-session" ? [] : try Self.commonCalls(harness)
      return try campaign.run(
        Self.testedCalls.withLock { FaultInjection.all(points, commonCalls: commonCalls, testedCalls: &$0) }
      )
    }
    result.report()
  }

  /// Returns the calls that every command makes first on an existing root. One operation covers them.
  private static func commonCalls(_ harness: FaultHarness) throws -> Set<String> {
    let template = "\(harness.directory)/prepared"
    try harness.runWorker(template, ["session", "least"])
    return Set(
      try OperationCampaign(harness, name: "prepare", template: template, arguments: ["prepare"]).points()
        .map(\.normalizedCall)
    )
  }
}

/// Runs blocking work on a dedicated thread, because it would block the threads of the task pool.
func runOnThread<Product: Sendable>(_ body: @escaping @Sendable () throws -> Product) async throws -> Product
{
  let result: Result<Product, any Error> = await withCheckedContinuation { continuation in
    do {
      _ = try PlainThread.start(name: "walk") { continuation.resume(returning: Result { try body() }) }
    } catch { continuation.resume(returning: .failure(error)) }
  }
  return try result.get()
}

/// The result of a fault injection campaign.
struct CampaignResult: Sendable {
  /// The name of the campaign.
  let name: String
  /// The number of injected faults.
  var count = 0
  /// Descriptions of the failures.
  var failures: [String] = []

  /// Prints the number of injected faults and records the failures as issues.
  func report() {
    for failure in failures.prefix(20) { Issue.record("\(failure)") }
    if !failures.isEmpty {
      Issue.record("\(failures.count) of \(count) injuries of \(name) were not survived")
    }
    print("\(name): \(count) injuries")
  }
}
