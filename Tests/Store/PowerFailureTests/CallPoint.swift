// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// One of the calls that the worker makes on files.
struct CallPoint: CustomTestStringConvertible {
  /// What the worker does.
  let operation: String
  /// The call.
  let call: String
  /// What its path ends with; of two paths, the second. `/SESSION` stands for the id of a session; with a dot or a dash
  /// at its end, it need not be the end.
  let ending: String
  /// How many such calls come before it.
  var before = 0

  /// The call and its path.
  var testDescription: String { "\(call) of \(ending) in \(operation)" }

  /// Whether a path is meant.
  fileprivate func isMeant(_ path: String) -> Bool {
    let session = "/SESSION"
    if ending.hasSuffix(session) {
      let directory = FileSystem.directoryName(path)
      let wanted = ending == session ? "/sessions" : String(ending.dropLast(session.count))
      return directory.hasSuffix(wanted) && FileSystem.lastComponent(path).count == 36
    }
    return ending.hasSuffix(".") || ending.hasSuffix("-") ? path.contains(ending) : path.hasSuffix(ending)
  }
}

extension PowerRig {
  /// The number of a call among all that the worker makes on files of a disk, which it does the same each time.
  func number(of point: CallPoint) throws -> Int {
    try runShell(
      """
      unset MARK
      mkdir -p '\(directory)/disk'
      '\(worker)' '\(directory)/disk/root' session least
      '\(injector)' --under '\(directory)/disk' --report '\(directory)/report' -- \
      '\(worker)' '\(directory)/disk/root' \(point.operation)
      """
    )
    let bytes = try FileSystem.contents("\(directory)/report", limit: 1 << 24) ?? []
    let report = String(decoding: bytes, as: UTF8.self)
    let found = report.split(separator: "\n").filter { line in
      let words = line.split(separator: " ", maxSplits: 2)
      return words.count == 3 && words[1] == point.call && point.isMeant(String(words[2]))
    }
    try #require(found.count > point.before, "no such call in \(report)")
    return try #require(Int(found[point.before].prefix { $0 != " " }))
  }
}
