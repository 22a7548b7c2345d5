// SPDX-License-Identifier: Apache-2.0

/// The calls of one run, each kind once: bounded, however many a program makes.
package struct LearningLedger: Sendable, Hashable {
  /// A kind of call, and how often there was one.
  package struct Entry: Sendable, Hashable {
    /// The call.
    package var call: LearnedCall
    /// How often it was made.
    package var count: Int

    /// Counts a call.
    package init(call: LearnedCall, count: Int) {
      self.call = call
      self.count = count
    }
  }

  /// What is kept of calls whose arguments are too many to keep.
  package struct Crowd: Sendable, Hashable {
    /// The call's name.
    package var call: String
    /// What the policy has to do with them.
    package var standing: CallStanding
    /// Every bit that was set in an argument, by its index.
    package var bits: [Int: UInt32]
    /// How many there were.
    package var count: Int

    /// Describes a crowd.
    package init(call: String, standing: CallStanding, bits: [Int: UInt32], count: Int) {
      self.call = call
      self.standing = standing
      self.bits = bits
      self.count = count
    }
  }

  /// How many kinds of one call are kept.
  package static let kindsOfOneCall = 64
  /// How many kinds are kept in all.
  package static let kinds = 4096

  /// The kinds, in the order of their first.
  package private(set) var entries: [Entry] = []
  /// What was too much, in the order of the first.
  package private(set) var crowds: [Crowd] = []
  /// How many calls there were in all.
  package private(set) var total = 0
  /// Where each kind is in ``entries``.
  private var places: [LearnedCall: Int] = [:]
  /// How many kinds there are of each call.
  private var kindsOfCalls: [Name: Int] = [:]
  /// Where each crowd is in ``crowds``.
  private var crowdPlaces: [Name: Int] = [:]

  /// What calls of one crowd have in common.
  private struct Name: Hashable {
    var call: String
    var standing: CallStanding
  }

  /// Nothing yet.
  package init() {}

  /// Takes a call, or several that are alike.
  package mutating func note(_ call: LearnedCall, count: Int = 1) {
    total += count
    if let place = places[call] {
      entries[place].count += count
      return
    }
    let name = Name(call: call.call, standing: call.standing)
    let kinds = kindsOfCalls[name, default: 0]
    // The first of a call is kept in any case: there are no more calls than tables have.
    guard kinds == 0 || kinds < Self.kindsOfOneCall && entries.count < Self.kinds else {
      return crowd(call, name, count)
    }
    kindsOfCalls[name] = kinds + 1
    places[call] = entries.count
    entries.append(Entry(call: call, count: count))
  }

  /// Takes what another ledger could not keep.
  package mutating func note(_ crowd: Crowd) {
    total += crowd.count
    let call = LearnedCall(
      call: crowd.call,
      standing: crowd.standing,
      arguments: crowd.bits.map { LearnedArgument(index: $0, value: $1) }
    )
    self.crowd(call, Name(call: crowd.call, standing: crowd.standing), crowd.count)
  }

  /// Counts what there is no room for.
  private mutating func crowd(_ call: LearnedCall, _ name: Name, _ count: Int) {
    let place = crowdPlaces[name] ?? crowds.count
    if place == crowds.count {
      crowdPlaces[name] = place
      crowds.append(Crowd(call: call.call, standing: call.standing, bits: [:], count: 0))
    }
    crowds[place].count += count
    for argument in call.arguments { crowds[place].bits[argument.index, default: 0] |= argument.value }
  }
}
