// SPDX-License-Identifier: Apache-2.0

/// The layout that all kinds of rings have in common. All numbers in a ring are little endian.
///
/// A ring is a memory file: one header, then the slots. Item n, counted from 1, is in slot (n - 1) % slots.
/// Code that uses only these constants can wait for and check the items of any kind of ring.
package enum RingLayout {
  /// The size of the header, and the offset of slot 0.
  package static let headerBytes = 4096

  /// The offsets of the header's fields from the start of the file.
  package enum Header {
    /// u32, four letters that identify the kind of ring.
    package static let magic = 0
    /// u32, the version of the layout of this kind.
    package static let version = 4
    /// u32, ``RingLayout/headerBytes``.
    package static let headerBytes = 8
    /// u32, the number of slots after the header.
    package static let slots = 12
    /// u32, the distance from one slot to the next.
    package static let slotStride = 16
    /// u64, the sequence number of the newest item, or 0 before the first one; stored with release order.
    package static let published = 128
  }

  /// The offsets of a slot's fields from the start of the slot.
  package enum Slot {
    /// u64, the sequence number of the item in the slot, or 0 while the item is being written. A reader
    /// checks it before and after reading.
    package static let sequence = 0
    /// u64, the capture time of the item in nanoseconds of `CLOCK_MONOTONIC`.
    package static let timestamp = 8
    /// u64, the time at which the item was published for the other side, on the same clock.
    package static let published = 16
    /// The minimum offset of the payload.
    package static let payload = 64
  }
}

/// The contents of a ring's header. Each kind of ring has its own type.
package protocol RingGeometry: Equatable, Sendable {
  /// The name of the memory file (memfd_create(2)).
  static var memoryName: String { get }
  /// The number of slots.
  var slots: Int { get }
  /// The distance from one slot to the next, a multiple of 8.
  var slotStride: Int { get }
  /// The bytes of the header before the first item.
  var header: [UInt8] { get }
}

extension RingGeometry {
  /// The size of the whole file.
  package var totalBytes: Int { RingLayout.headerBytes + slots * slotStride }

  /// Returns the offset of a slot from the start of the file.
  package func offset(ofSlot slot: Int) -> Int { RingLayout.headerBytes + slot * slotStride }

  /// Returns the slot of a frame or other item; sequence numbers are counted from 1.
  package func slot(ofFrame sequence: UInt64) -> Int { Int((sequence - 1) % UInt64(slots)) }
}
