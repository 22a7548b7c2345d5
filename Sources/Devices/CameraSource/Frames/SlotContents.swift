// SPDX-License-Identifier: Apache-2.0

/// The content that a source wrote to each slot, so that it writes only the differences of the next frame.
struct SlotContents<Content> {
  /// A linear search is sufficient: a ring has few slots.
  private var slots: [(address: UnsafeMutableRawPointer?, mark: Content)] = []

  /// Returns the content of a slot, or `nil` if it is unknown.
  func content(of slot: UnsafeMutableRawBufferPointer) -> Content? {
    slots.first { $0.address == slot.baseAddress }?.mark
  }

  /// Records the content of a slot.
  mutating func set(_ mark: Content, in slot: UnsafeMutableRawBufferPointer) {
    if let index = slots.firstIndex(where: { $0.address == slot.baseAddress }) {
      slots[index].mark = mark
    } else {
      slots.append((slot.baseAddress, mark))
    }
  }

  /// Marks the contents of all slots as unknown.
  mutating func removeAll() { slots = [] }
}
