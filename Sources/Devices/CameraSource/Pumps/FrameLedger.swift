// SPDX-License-Identifier: Apache-2.0

/// The numbers of published, consumed and dropped frames.
package struct FrameCounts: Equatable, Sendable {
  /// Published frames.
  package var produced: UInt64 = 0
  /// Frames that the extension reported as consumed; never more than ``produced``.
  package var consumed: UInt64 = 0
  /// Frames that were overwritten before the extension reported them as consumed.
  package var dropped: UInt64 = 0

  /// Creates counts of zero.
  package init() {}
}

/// The accounting of a ring: the slots that can be overwritten, and the dropped frames. A value without I/O.
struct FrameLedger: Equatable {
  /// The number of slots of the ring.
  let slots: UInt64
  /// The current counts.
  private(set) var counts = FrameCounts()

  /// Creates the accounting of an empty ring.
  init(slots: Int) { self.slots = UInt64(slots) }

  /// Frames in the ring that are neither consumed nor dropped.
  var outstanding: UInt64 { counts.produced - counts.consumed - counts.dropped }

  /// Whether the next frame would overwrite an outstanding one.
  var isFull: Bool { outstanding >= slots }

  /// Records that the next frame's slot is being written. If the ring is full, the oldest outstanding frame
  /// is dropped.
  mutating func begin() {
    if isFull { counts.dropped += 1 }
  }

  /// Records a published frame.
  mutating func publish() { counts.produced += 1 }

  /// Records consumed frames. The amount comes from the extension and is limited to the outstanding frames.
  mutating func consume(_ amount: UInt64) { counts.consumed += min(amount, outstanding) }

  /// Counts all outstanding frames as dropped; they belong to an earlier delivery.
  mutating func dropOutstanding() { counts.dropped += outstanding }
}
