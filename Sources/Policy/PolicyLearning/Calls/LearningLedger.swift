// SPDX-License-Identifier: Apache-2.0

/// The kinds of calls of one run and their number. Its size is limited regardless of the number of calls.
package struct LearningLedger: Sendable, Hashable {
  /// A kind of call and the number of its calls.
  package struct Entry: Sendable, Hashable {
    /// The kind of call.
    package var call: LearnedCall
    /// The number of calls.
    package var count: Int

    /// Creates an entry.
    package init(call: LearnedCall, count: Int) {
      self.call = call
      self.count = count
    }
  }

  /// The summary of the calls that exceed the maximum number of kinds.
  package struct CallSummary: Sendable, Hashable {
    /// The call's name.
    package var call: String
    /// The status of the calls under the policy.
    package var status: CallStatus
    /// The union of all bits that were set in an argument, by argument index.
    package var bits: [Int: UInt32]
    /// The number of calls.
    package var count: Int

    /// Creates a summary.
    package init(call: String, status: CallStatus, bits: [Int: UInt32], count: Int) {
      self.call = call
      self.status = status
      self.bits = bits
      self.count = count
    }
  }

  /// The maximum number of kinds of one call.
  package static let maximumKindsPerCall = 64
  /// The maximum number of kinds of all calls together.
  package static let maximumKinds = 4096

  /// The kinds, in the order of their first call.
  package private(set) var entries: [Entry] = []
  /// The summaries, in the order of their first call.
  package private(set) var summaries: [CallSummary] = []
  /// The number of all calls.
  package private(set) var total = 0
  /// The index of each kind in ``entries``.
  private var entryIndexes: [LearnedCall: Int] = [:]
  /// The number of kinds of each call.
  private var kindCounts: [Name: Int] = [:]
  /// The index of each summary in ``summaries``.
  private var summaryIndexes: [Name: Int] = [:]

  /// The key of a summary.
  private struct Name: Hashable {
    var call: String
    var status: CallStatus
  }

  /// Creates an empty ledger.
  package init() {}

  /// Counts one or several calls of a kind.
  package mutating func record(_ call: LearnedCall, count: Int = 1) {
    total += count
    if let place = entryIndexes[call] {
      entries[place].count += count
      return
    }
    let name = Name(call: call.call, status: call.status)
    let kinds = kindCounts[name, default: 0]
    // The first kind of a call is always kept: there are no more calls than in the system call table.
    guard kinds == 0 || kinds < Self.maximumKindsPerCall && entries.count < Self.maximumKinds else {
      return addToSummary(call, name, count)
    }
    kindCounts[name] = kinds + 1
    entryIndexes[call] = entries.count
    entries.append(Entry(call: call, count: count))
  }

  /// Adds the summary of another ledger.
  package mutating func note(_ crowd: CallSummary) {
    total += crowd.count
    let call = LearnedCall(
      call: crowd.call,
      status: crowd.status,
      arguments: crowd.bits.map { LearnedArgument(index: $0, value: $1) }
    )
    self.addToSummary(call, Name(call: crowd.call, status: crowd.status), crowd.count)
  }

  /// Adds a call to the summary of its name.
  private mutating func addToSummary(_ call: LearnedCall, _ name: Name, _ count: Int) {
    let place = summaryIndexes[name] ?? summaries.count
    if place == summaries.count {
      summaryIndexes[name] = place
      summaries.append(CallSummary(call: call.call, status: call.status, bits: [:], count: 0))
    }
    summaries[place].count += count
    for argument in call.arguments { summaries[place].bits[argument.index, default: 0] |= argument.value }
  }
}
