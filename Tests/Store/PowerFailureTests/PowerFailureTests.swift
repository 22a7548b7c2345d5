// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Simulates power failures at many points of all durable work, on disks that lose, reorder and tear writes
/// that were not flushed.
@Suite(.waiting) struct PowerFailureTests {
  @Test(.timeLimit(.minutes(20)), arguments: DurableWorkload.allCases, DiskFormat.allCases)
  func `acknowledged work is present once and complete after any power failure`(
    _ workload: DurableWorkload,
    _ format: DiskFormat
  ) throws {
    let failures = format.share(of: PowerRig.failures)
    let result = try PowerRig().simulatePowerFailures(
      on: format,
      failures: failures,
      prepare: workload.preparation,
      workload: workload.commands,
      options: ["--seed \(PowerRig.seed)"]
    )
    guard let result else { return }
    print("power failures: \(workload) on \(result.text.split(separator: "\n").last ?? "")")
    #expect(result.findings == 0, "\(workload) on \(format): \(result.text)")
    #expect(result.failures == failures)
  }

  @Test(.timeLimit(.minutes(20)), arguments: DiskFormat.allCases)
  func `recovery makes durable what a killed host did not before it relies on the data`(
    _ format: DiskFormat
  ) throws {
    for point in [
      CallPoint(operation: "session least tell", call: "write", pathSuffix: "/log/sessions.ndjson"),
      CallPoint(operation: "session least tell", call: "renameat2", pathSuffix: "/SessionContent/SESSION"),
      CallPoint(operation: "invalidate", call: "renameat2", pathSuffix: "/trash/removed-"),
      // Between the two renames, btrfs starts a new transaction that does not contain the old names.
      CallPoint(operation: "session full tell", call: "renameat", pathSuffix: "/record.json"),
      CallPoint(operation: "ingest", call: "renameat2", pathSuffix: "/a.jpg"),
      CallPoint(operation: "session renamed", call: "renameat2", pathSuffix: "/%2Dd/%2Egit"),
    ] {
      let rig = try PowerRig()
      let kill = "$FAULTS --under $DISK --point \(try rig.callIndex(of: point)) --do kill-after --"
      let result = try rig.simulatePowerFailures(
        on: format,
        failures: format.share(of: 40),
        workload:
          "\(kill) $WORKER $DISK/root \(point.operation) >/dev/null 2>&1 || :; $WORKER $DISK/root recover"
      )
      guard let result else { return }
      #expect(result.findings == 0, "\(point): \(result.text)")
    }
  }

  /// After a write(2) that appends to a synchronized line, the synchronization of another file makes the new
  /// size durable without the data: ext4 writes only newly allocated blocks with a transaction.
  @Test(
    .timeLimit(.minutes(20)),
    arguments: [
      CallPoint(operation: "session full tell", call: "write", pathSuffix: "/list.ndjson", precedingCalls: 1),
      CallPoint(
        operation: "session renamed",
        call: "write",
        pathSuffix: "/renamed.ndjson",
        precedingCalls: 1
      ),
      CallPoint(operation: "session least tell", call: "write", pathSuffix: "/log/sessions.ndjson"),
    ]
  )
  func `a line without its data does not damage the lines before it`(_ point: CallPoint) throws {
    let rig = try PowerRig()
    let result = try rig.simulatePowerFailures(
      on: .ext4,
      failures: 80,
      workload: """
        $FAULTS --under $DISK --point \(try rig.callIndex(of: point)) --do kill-after -- \
        $WORKER $DISK/root \(point.operation) >/dev/null 2>&1 || :
        touch $DISK/other; sync $DISK/other; $WORKER $DISK/root recover
        """
    )
    guard let result else { return }
    #expect(result.findings == 0, "\(point): \(result.text)")
  }
}
