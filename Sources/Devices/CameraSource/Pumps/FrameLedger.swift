// SPDX-License-Identifier: Apache-2.0

/// How many frames went where.
package struct FrameCounts: Equatable, Sendable {
  /// Frames that were published.
  package var produced: UInt64 = 0
  /// Frames that the extension said it had finished with; never more than ``produced``.
  package var consumed: UInt64 = 0
  /// Frames that were overwritten before the extension had finished with as many.
  package var dropped: UInt64 = 0

  /// Counts nothing.
  package init() {}
}

/// The bookkeeping of a ring: what may be overwritten and what was lost. A value without I/O.
struct FrameLedger: Equatable {
  /// How many slots the ring has.
  let slots: UInt64
  /// The counts so far.
  private(set) var counts = FrameCounts()

  /// Begins with an empty ring.
  init(slots: Int) { self.slots = UInt64(slots) }

  /// Frames in the ring that nobody has accounted for.
  var outstanding: UInt64 { counts.produced - counts.consumed - counts.dropped }

  /// Whether the next frame would overwrite one that nobody has accounted for.
  var isFull: Bool { outstanding >= slots }

  /// The slot of the next frame is taken; what was in it is lost if nobody has accounted for it.
  mutating func begin() {
    if isFull { counts.dropped += 1 }
  }

  /// A frame was published.
  mutating func publish() { counts.produced += 1 }

  /// The extension has finished with `amount` frames, it says; more than there were cannot be.
  mutating func consume(_ amount: UInt64) { counts.consumed += min(amount, outstanding) }

  /// What is in the ring belongs to an earlier delivery and is waited for no more.
  mutating func forgetOutstanding() { counts.dropped += outstanding }
}
