// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// A system call of `darkroom-store-worker` on a file, identified by its operation, name and path.
struct CallPoint: CustomTestStringConvertible {
  /// The worker's operation.
  let operation: String
  /// The name of the system call.
  let call: String
  /// The suffix of the call's path, or of the second path if it has two. `/SESSION` stands for a session ID.
  /// A value that ends with a dot or a dash matches anywhere in the path.
  let pathSuffix: String
  /// The number of matching calls that precede this one.
  var precedingCalls = 0

  /// The call, its path and its operation.
  var testDescription: String { "\(call) of \(pathSuffix) in \(operation)" }

  /// Returns whether a path matches.
  fileprivate func matches(_ path: String) -> Bool {
    let session = "/SESSION"
    if pathSuffix.hasSuffix(session) {
      let directory = FileSystem.directoryName(path)
      let wanted = pathSuffix == session ? "/sessions" : String(pathSuffix.dropLast(session.count))
      return directory.hasSuffix(wanted) && FileSystem.lastComponent(path).count == 36
    }
    return pathSuffix.hasSuffix(".") || pathSuffix.hasSuffix("-")
      ? path.contains(pathSuffix) : path.hasSuffix(pathSuffix)
  }
}

extension PowerRig {
  /// Returns the index of a call among all calls of the worker on files of the disk. The sequence is the same
  /// in each run.
  func callIndex(of point: CallPoint) throws -> Int {
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
      let fields = line.split(separator: " ", maxSplits: 2)
      return fields.count == 3 && fields[1] == point.call && point.matches(String(fields[2]))
    }
    try #require(found.count > point.precedingCalls, "no such call in \(report)")
    return try #require(Int(found[point.precedingCalls].prefix { $0 != " " }))
  }
}
