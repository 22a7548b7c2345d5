// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LinuxPrimitives
internal import Testing

/// Queries the kernel's verdicts on system calls under seccomp filters. No call is executed (see
/// `Tests/Fixtures/Verdicts`).
package enum KernelVerdicts {
  /// Filters, and the calls that are tested under them.
  package struct Group {
    /// The programs of the filters, in the order of installation.
    package var filters: [[UInt8]]
    /// Seven numbers for each call: its number and six arguments. The upper half of the last argument is
    /// ``argumentMarker``.
    package var calls: [UInt64]

    /// Creates a group of filters and calls.
    package init(filters: [[UInt8]], calls: [UInt64]) {
      self.filters = filters
      self.calls = calls
    }
  }

  /// The upper half of the last argument of every tested call.
  package static let argumentMarker: UInt32 = 0x6461_726B
  /// The verdict on a call that the filters allow. No filter in the tests returns this value.
  package static let allowed: Int32 = 3333
  /// The verdict on a call that terminates the process.
  package static let killed: Int32 = 100_000

  /// Returns the kernel's verdicts on all calls of the groups, in order: an errno, ``allowed`` or ``killed``.
  package static func verdicts(of groups: [Group]) throws -> [Int32] {
    let directory = "/tmp/darkroom-verdicts-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory)
    defer { try? FileSystem.removeTree(directory) }
    let file = try FileSystem.open("\(directory)/calls", [.write, .create], mode: 0o600)
    try file.writeAll(bytes(UInt32(groups.count)))
    for group in groups {
      try file.writeAll(bytes(UInt32(group.filters.count)))
      for filter in group.filters { try file.writeAll(bytes(UInt32(filter.count / 8)) + filter) }
      try file.writeAll(bytes(UInt32(group.calls.count / 7)) + group.calls.withUnsafeBytes { Array($0) })
    }
    let program = FileSystem.directoryName(try CurrentProcess.executablePath()) + "/darkroom-verdicts"
    try runShell("timeout 300 '\(program)' '\(directory)/calls' '\(directory)/verdicts'")
    let answers = try #require(try FileSystem.contents("\(directory)/verdicts", limit: 1 << 28))
    let count = groups.reduce(0) { $0 + $1.calls.count / 7 }
    return answers.withUnsafeBytes { Array($0.bindMemory(to: Int32.self).prefix(count)) }
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
