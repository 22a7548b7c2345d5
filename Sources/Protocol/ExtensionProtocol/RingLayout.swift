// SPDX-License-Identifier: Apache-2.0

/// What rings of every kind have in common; everything in a ring is little endian.
///
/// A ring is a memory file: one header, then the slots. What is number n, counted from 1, lives in slot (n - 1) % slots.
/// Who reads one kind by these numbers can wait for and check any other.
package enum RingLayout {
  /// The size of the header, and the offset of slot 0.
  package static let headerBytes = 4096

  /// Where the header's fields are, from the start of the file.
  package enum Header {
    /// u32, four letters that tell the kind.
    package static let magic = 0
    /// u32, the version of the kind.
    package static let version = 4
    /// u32, ``RingLayout/headerBytes``.
    package static let headerBytes = 8
    /// u32, how many slots follow the header.
    package static let slots = 12
    /// u32, the distance from one slot to the next.
    package static let slotStride = 16
    /// u64, the sequence of the newest, 0 before the first; stored with release order.
    package static let published = 128
  }

  /// Where a slot's fields are, from the start of the slot.
  package enum Slot {
    /// u64, what is in the slot; 0 while it is being written. A reader checks it before and after.
    package static let sequence = 0
    /// u64, when it was taken: nanoseconds of `CLOCK_MONOTONIC`.
    package static let timestamp = 8
    /// u64, when it was put here for the other side to see, on the same clock.
    package static let published = 16
    /// Where the rest of a slot begins at the earliest.
    package static let payload = 64
  }
}

/// What the header of a ring says; each kind of ring has one of its own.
package protocol RingGeometry: Equatable, Sendable {
  /// What the kernel calls such a ring's memory.
  static var memoryName: String { get }
  /// How many slots there are.
  var slots: Int { get }
  /// The distance from one slot to the next, a multiple of 8.
  var slotStride: Int { get }
  /// The bytes of the header as they stand before anything was published.
  var header: [UInt8] { get }
}

extension RingGeometry {
  /// The size of the whole file.
  package var totalBytes: Int { RingLayout.headerBytes + slots * slotStride }

  /// Where a slot begins, from the start of the file.
  package func offset(ofSlot slot: Int) -> Int { RingLayout.headerBytes + slot * slotStride }

  /// The slot in which a frame, or whatever else the ring has, lives; they are counted from 1.
  package func slot(ofFrame sequence: UInt64) -> Int { Int((sequence - 1) % UInt64(slots)) }
}
