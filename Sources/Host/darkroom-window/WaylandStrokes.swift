// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import ViewfinderLink

/// What was typed and nobody has taken yet, in the order in which it was: it is overwritten when it is taken.
final class WaylandStrokes {
  /// What has become of a key.
  enum Stroke {
    /// It is down, and types this, which is there as long as it is looked at.
    case pressed(UInt32, UnsafeRawBufferPointer)
    /// It is up.
    case released(UInt32)
    /// What is down is somebody else's from now on.
    case left
  }

  /// One stroke as it lies in memory, which has no room for pointers: what a key types lies with it.
  private enum Place {
    /// The number of the key.
    static let key = 0
    /// What has become of it.
    static let kind = 4
    /// How many bytes it types.
    static let count = 5
    /// What it types.
    static let text = 6
    /// All of it.
    static let size = text + mostBytes
  }

  /// What has become of a key, as it lies in memory.
  private enum Kind: UInt8 {
    /// It is down.
    case pressed
    /// It is up.
    case released
    /// It is somebody else's.
    case left
  }

  /// The most bytes that a key types.
  static let mostBytes = 18
  /// The most strokes that wait; what is more is forgotten.
  private static let mostStrokes = 64

  private let strokes = WipedBytes(count: mostStrokes * Place.size)
  private var count = 0

  /// A key is down; `text` writes what it types, and gives how many bytes that is.
  func addPressed(_ key: UInt32, _ text: (UnsafeMutableRawBufferPointer) -> Int) {
    guard let place = add(.pressed, key) else { return }
    let room = UnsafeMutableRawBufferPointer(rebasing: place[Place.text...])
    place[Place.count] = UInt8(min(max(0, text(room)), room.count))
  }

  /// A key is up.
  func addReleased(_ key: UInt32) { _ = add(.released, key) }

  /// Keys are somebody else's.
  func addLeft() { _ = add(.left, 0) }

  private func add(_ kind: Kind, _ key: UInt32) -> UnsafeMutableRawBufferPointer? {
    guard count < Self.mostStrokes else { return nil }
    let place = place(count)
    place.storeBytes(of: key, toByteOffset: Place.key, as: UInt32.self)
    place[Place.kind] = kind.rawValue
    count += 1
    return place
  }

  private func place(_ index: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: strokes.memory[index * Place.size..<(index + 1) * Place.size])
  }

  /// Hands over all that wait.
  func take(_ body: (Stroke) -> Void) {
    for index in 0..<count {
      let place = place(index)
      let key = place.loadUnaligned(fromByteOffset: Place.key, as: UInt32.self)
      switch Kind(rawValue: place[Place.kind]) {
      case .pressed:
        let end = Place.text + Int(place[Place.count])
        body(.pressed(key, UnsafeRawBufferPointer(rebasing: place[Place.text..<end])))
      case .released: body(.released(key))
      case .left, nil: body(.left)
      }
      WipedBytes.wipe(place)
    }
    count = 0
  }
}

extension HostLink {
  /// Passes on what was typed.
  func pass(_ stroke: WaylandStrokes.Stroke) {
    switch stroke {
    case .pressed(let key, let text): pressed(key, text)
    case .released(let key): released(key)
    case .left: leftKeys()
    }
  }
}
