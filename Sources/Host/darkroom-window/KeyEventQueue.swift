// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import ViewfinderLink

/// A queue of key events in order. Events are wiped when they are taken.
final class KeyEventQueue {
  /// A key event.
  enum KeyEvent {
    /// A key was pressed. The buffer has the text that it types, and is valid only during the call.
    case pressed(UInt32, UnsafeRawBufferPointer)
    /// A key was released.
    case released(UInt32)
    /// The window lost the keyboard focus while keys may be down.
    case focusLost
  }

  /// The memory layout of a key event. The text is stored inline, so that all of it can be wiped.
  private enum Offset {
    /// The offset of the key number.
    static let key = 0
    /// The offset of the kind.
    static let kind = 4
    /// The offset of the length of the text.
    static let count = 5
    /// The offset of the text.
    static let text = 6
    /// The size of an event.
    static let size = text + maximumBytes
  }

  /// The kind of a key event in memory.
  private enum Kind: UInt8 {
    /// A key was pressed.
    case pressed
    /// A key was released.
    case released
    /// The keyboard focus was lost.
    case focusLost
  }

  /// The maximum length of the text of a key, in bytes.
  static let maximumBytes = 18
  /// The maximum number of pending events. Further ones are discarded.
  private static let maximumEvents = 64

  private let keyEvents = WipedBytes(count: maximumEvents * Offset.size)
  private var count = 0

  /// Adds a pressed key. `text` writes the text that it types, and returns its length in bytes.
  func addPressed(_ key: UInt32, _ text: (UnsafeMutableRawBufferPointer) -> Int) {
    guard let place = add(.pressed, key) else { return }
    let room = UnsafeMutableRawBufferPointer(rebasing: place[Offset.text...])
    place[Offset.count] = UInt8(min(max(0, text(room)), room.count))
  }

  /// Adds a released key.
  func addReleased(_ key: UInt32) { _ = add(.released, key) }

  /// Adds a loss of the keyboard focus.
  func addFocusLost() { _ = add(.focusLost, 0) }

  private func add(_ kind: Kind, _ key: UInt32) -> UnsafeMutableRawBufferPointer? {
    guard count < Self.maximumEvents else { return nil }
    let place = place(count)
    place.storeBytes(of: key, toByteOffset: Offset.key, as: UInt32.self)
    place[Offset.kind] = kind.rawValue
    count += 1
    return place
  }

  private func place(_ index: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: keyEvents.memory[index * Offset.size..<(index + 1) * Offset.size])
  }

  /// Calls `body` for each pending event, and wipes it.
  func take(_ body: (KeyEvent) -> Void) {
    for index in 0..<count {
      let place = place(index)
      let key = place.loadUnaligned(fromByteOffset: Offset.key, as: UInt32.self)
      switch Kind(rawValue: place[Offset.kind]) {
      case .pressed:
        let end = Offset.text + Int(place[Offset.count])
        body(.pressed(key, UnsafeRawBufferPointer(rebasing: place[Offset.text..<end])))
      case .released: body(.released(key))
      case .focusLost, nil: body(.focusLost)
      }
      WipedBytes.wipe(place)
    }
    count = 0
  }
}

extension HostLink {
  /// Sends a key event to the host.
  func pass(_ stroke: KeyEventQueue.KeyEvent) {
    switch stroke {
    case .pressed(let key, let text): reportKeyDown(key, text)
    case .released(let key): reportKeyUp(key)
    case .focusLost: reportKeyboardFocusLost()
    }
  }
}
