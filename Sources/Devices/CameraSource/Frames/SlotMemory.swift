// SPDX-License-Identifier: Apache-2.0

/// What a source has left in which slot, so that it writes only what is different in the next frame.
struct SlotMemory<Mark> {
  /// As many slots as a ring can have are few enough to be looked through.
  private var slots: [(address: UnsafeMutableRawPointer?, mark: Mark)] = []

  /// What was left in a slot; nil: nothing that is known.
  func mark(of slot: UnsafeMutableRawBufferPointer) -> Mark? {
    slots.first { $0.address == slot.baseAddress }?.mark
  }

  /// Something was left in a slot.
  mutating func note(_ mark: Mark, in slot: UnsafeMutableRawBufferPointer) {
    if let index = slots.firstIndex(where: { $0.address == slot.baseAddress }) {
      slots[index].mark = mark
    } else {
      slots.append((slot.baseAddress, mark))
    }
  }

  /// Nothing is in any slot.
  mutating func forget() { slots = [] }
}
