// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension LockStatus {
  /// The schema `LockReports`.
  var json: JSONValue {
    [
      "state": .string(state.rawValue), "wasUnlocked": .bool(wasUnlocked),
      "reports": .array(reports.map(\.json)),
    ]
  }
}

extension LockStatus.Report {
  /// The schema `LockReport`.
  fileprivate var json: JSONValue { ["state": .string(state.rawValue), "reason": .string(reason)] }
}
