// SPDX-License-Identifier: Apache-2.0

/// What a virtual machine's processors have done since its start (`/proc/stat`, proc_stat(5)), in clock ticks.
package struct ProcessorTimes: Sendable, Hashable {
  /// All of it.
  package var total: UInt64
  /// The time in which something was to be done, and another machine had the processor.
  package var stolen: UInt64

  /// How many members of the line are counted, of which ``stolen`` is the last. What guests have had follows, and is
  /// in the others already.
  private static let counted = 8

  /// Reads the contents of `/proc/stat`; nil if they are something else.
  package init?(statistics: String) {
    let lines = statistics.split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("cpu ") }) else { return nil }
    let values = line.split(separator: " ").dropFirst().prefix(Self.counted).compactMap { UInt64($0) }
    guard values.count == Self.counted, let last = values.last else { return nil }
    total = values.reduce(0, &+)
    stolen = last
  }

  /// The part of the time since then that other machines have had, from 0 to 1.
  package func stolenShare(since earlier: ProcessorTimes) -> Double {
    guard total > earlier.total, stolen > earlier.stolen else { return 0 }
    return Double(stolen - earlier.stolen) / Double(total - earlier.total)
  }
}

/// How much of the processors' time other machines had while something was measured.
package struct StolenTime: Sendable, Hashable {
  /// The group that was measured.
  package var group: String
  /// The part of the time, from 0 to 1.
  package var share: Double

  /// What is less than this says nothing: most virtual machines share their processors with somebody.
  private static let notable = 0.05

  /// States it.
  package init(_ group: String, share: Double) {
    self.group = group
    self.share = share
  }

  /// Where it was much, as a sentence; nil: nowhere.
  ///
  /// Even a ratio says little of such a time: what takes long, and waits for others, loses its processor more often.
  package static func sentence(_ all: [StolenTime]) -> String? {
    let much = all.filter { $0.share >= notable }.sorted { $0.share > $1.share }
    guard !much.isEmpty else { return nil }
    let list = much.map { "\(($0.share * 100).text(digits: 1)) % of \($0.group)" }
    return "other machines had the processors for \(list.joined(separator: ", ")): measure that again"
  }
}
