// SPDX-License-Identifier: Apache-2.0

/// The processor times of a virtual machine since boot (`/proc/stat`, proc_stat(5)), in clock ticks.
package struct ProcessorTimes: Sendable, Hashable {
  /// The sum of all times.
  package var total: UInt64
  /// The steal time: the time in which a runnable virtual processor waited for the hypervisor.
  package var stolen: UInt64

  /// The number of summed fields; the last is ``stolen``. The following guest times are already included in
  /// other fields.
  private static let countedFields = 8

  /// Parses the contents of `/proc/stat`, or returns `nil` if they are malformed.
  package init?(statistics: String) {
    let lines = statistics.split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("cpu ") }) else { return nil }
    let values = line.split(separator: " ").dropFirst().prefix(Self.countedFields).compactMap { UInt64($0) }
    guard values.count == Self.countedFields, let last = values.last else { return nil }
    total = values.reduce(0, &+)
    stolen = last
  }

  /// Returns the share of steal time since an earlier reading, from 0 to 1.
  package func stolenShare(since earlier: ProcessorTimes) -> Double {
    guard total > earlier.total, stolen > earlier.stolen else { return 0 }
    return Double(stolen - earlier.stolen) / Double(total - earlier.total)
  }
}

/// The share of steal time during a group of measurements.
package struct StolenTime: Sendable, Hashable {
  /// The name of the group.
  package var group: String
  /// The share of the time, from 0 to 1.
  package var share: Double

  /// The smallest reported share: most virtual machines have some steal time.
  private static let reportingThreshold = 0.05

  /// Creates a value.
  package init(_ group: String, share: Double) {
    self.group = group
    self.share = share
  }

  /// Returns a sentence about large shares, or `nil` if there are none.
  ///
  /// Such times distort ratios, too: long steps and steps that wait lose the processor more often.
  package static func sentence(_ all: [StolenTime]) -> String? {
    let much = all.filter { $0.share >= reportingThreshold }.sorted { $0.share > $1.share }
    guard !much.isEmpty else { return nil }
    let list = much.map { "\(($0.share * 100).text(digits: 1)) % of \($0.group)" }
    return "other machines had the processors for \(list.joined(separator: ", ")): measure that again"
  }
}
