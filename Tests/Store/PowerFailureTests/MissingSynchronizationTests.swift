// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Omits single calls of fsync(2) and syncfs(2), and checks that the rig detects each omission.
///
/// Without these tests, ``PowerFailureTests`` without findings would prove nothing.
@Suite(.waiting) struct MissingSynchronizationTests {
  private static let omitted = [
    // Files: content synchronized by file and by file system, the record, the log entry, a document.
    CallPoint(operation: "session least", call: "fsync", pathSuffix: "/content/shots/1.jpg"),
    CallPoint(operation: "session many", call: "syncfs", pathSuffix: "/content"),
    CallPoint(operation: "session least", call: "fsync", pathSuffix: "/reserve-record"),
    CallPoint(operation: "session least", call: "fsync", pathSuffix: "/log/sessions.ndjson"),
    CallPoint(operation: "context set a", call: "fsync", pathSuffix: "/context/app.json.new."),
    // The journal of a prewarmed session at its launch.
    CallPoint(operation: "launch least", call: "fsync", pathSuffix: "/reserve-journal"),
    // Directories: of a document, of a delivery, of a session whose app is notified, and of erased content.
    CallPoint(operation: "context set a", call: "fsync", pathSuffix: "/context"),
    CallPoint(operation: "post", call: "fsync", pathSuffix: "/Activities"),
    CallPoint(operation: "session least tell", call: "fsync", pathSuffix: "/SESSION", precedingCalls: 1),
    CallPoint(operation: "erase least", call: "fsync", pathSuffix: "/content/shots"),
  ]

  @Test(.timeLimit(.minutes(20)), arguments: Self.omitted)
  func `detects an omitted fsync`(_ omission: CallPoint) throws {
    let rig = try PowerRig()
    let point = try rig.callIndex(of: omission)
    let command =
      "$FAULTS --under $DISK --point \(point) --do skip -- $WORKER $DISK/root \(omission.operation)"
    let result = try rig.simulatePowerFailures(
      on: .ext4,
      failures: 200,
      workload: command,
      options: ["--stop 1"]
    )
    guard let result else { return }
    #expect(result.findings == 1, "\(result.text)")
  }
}
