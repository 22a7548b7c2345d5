// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Simulates power failures at many points of all durable work, on disks that lose, reorder and tear writes
/// that were not flushed.
@Suite(.waiting) struct PowerFailureTests {
  @Test(.timeLimit(.minutes(20)), arguments: DurableWork.allCases, DiskFormat.allCases)
  func `what was acknowledged is there once and whole, and nothing else, after any power failure`(
    _ work: DurableWork,
    _ format: DiskFormat
  ) throws {
    let failures = format.share(of: PowerRig.failures)
    let result = try PowerRig().takePower(
      on: format,
      failures: failures,
      prepare: work.preparation,
      workload: work.commands,
      options: ["--seed \(PowerRig.seed)"]
    )
    guard let result else { return }
    print("power failures: \(work) on \(result.text.split(separator: "\n").last ?? "")")
    #expect(result.findings == 0, "\(work) on \(format): \(result.text)")
    #expect(result.failures == failures)
  }

  @Test(.timeLimit(.minutes(20)), arguments: DiskFormat.allCases)
  func `what its host did not live to make durable, recovery does before it relies on it`(
    _ format: DiskFormat
  ) throws {
    for point in [
      CallPoint(operation: "session least tell", call: "write", ending: "/log/sessions.ndjson"),
      CallPoint(operation: "session least tell", call: "renameat2", ending: "/SessionContent/SESSION"),
      CallPoint(operation: "invalidate", call: "renameat2", ending: "/trash/removed-"),
      // Between the two renames, btrfs starts a new transaction that does not contain the old names.
      CallPoint(operation: "session full tell", call: "renameat", ending: "/record.json"),
      CallPoint(operation: "ingest", call: "renameat2", ending: "/a.jpg"),
      CallPoint(operation: "session renamed", call: "renameat2", ending: "/%2Dd/%2Egit"),
    ] {
      let rig = try PowerRig()
      let kill = "$FAULTS --under $DISK --point \(try rig.number(of: point)) --do kill-after --"
      let result = try rig.takePower(
        on: format,
        failures: format.share(of: 40),
        workload:
          "\(kill) $WORKER $DISK/root \(point.operation) >/dev/null 2>&1 || :; $WORKER $DISK/root recover"
      )
      guard let result else { return }
      #expect(result.findings == 0, "\(point): \(result.text)")
    }
  }
}
