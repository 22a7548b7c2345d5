// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// A position on a surface.
struct SurfacePoint {
  /// The ID of the surface.
  var surface: UInt32
  /// The distance from the left edge, in pixels.
  var x: Double
  /// The distance from the upper edge, in pixels.
  var y: Double
}

/// The contacts of the pointer and of fingers with surfaces: a contact lasts from the press of the left button,
/// or from a touch, to the release.
struct SurfaceContacts {
  /// The cause of a contact.
  enum Source: Hashable {
    /// The left button of the pointer.
    case pointer
    /// A finger, by its ID in `wl_touch`.
    case finger(Int)
  }

  /// A change of a contact.
  struct Change {
    /// The number of the contact: 0 for the pointer, and the smallest free number for a finger.
    var contact: Int
    /// The phase of the contact.
    var phase: PointerPhase
    /// The position. A contact that moves out of its surface can have a position outside the surface.
    var point: SurfacePoint
  }

  /// The maximum number of pending changes. Further contacts and moves are discarded, but no end of a contact.
  private static let maximumChanges = 64

  /// The last change of each contact.
  private var current: [Source: Change] = [:]
  private var changes: [Change] = []

  /// Returns the changes since the last call.
  mutating func takeChanges() -> [Change] {
    defer { changes = [] }
    return changes
  }

  /// Returns the surface of a contact, or `nil` if there is no such contact.
  func surface(of source: Source) -> UInt32? { current[source]?.point.surface }

  /// Begins a contact, unless there are too many.
  mutating func begin(_ source: Source, at point: SurfacePoint) {
    cancel(source)
    guard changes.count < Self.maximumChanges, let number = number(for: source) else { return }
    let change = Change(contact: number, phase: .began, point: point)
    current[source] = change
    changes.append(change)
  }

  /// Moves a contact. The move replaces the last change if that is a move of the same contact.
  mutating func move(_ source: Source, to point: SurfacePoint) {
    guard var change = current[source] else { return }
    (change.phase, change.point) = (.moved, point)
    current[source] = change
    if let last = changes.last, last.phase == .moved, last.contact == change.contact { changes.removeLast() }
    if changes.count < Self.maximumChanges { changes.append(change) }
  }

  /// Ends a contact at its last position.
  mutating func end(_ source: Source) { remove(source, .ended) }

  /// Cancels a contact.
  mutating func cancel(_ source: Source) { remove(source, .cancelled) }

  /// Cancels the contacts of all fingers.
  mutating func cancelFingers() { for source in current.keys where source != .pointer { cancel(source) } }

  /// Cancels all contacts.
  mutating func cancelAll() { for source in current.keys { cancel(source) } }

  private mutating func remove(_ source: Source, _ phase: PointerPhase) {
    guard var change = current.removeValue(forKey: source) else { return }
    change.phase = phase
    changes.append(change)
  }

  private func number(for source: Source) -> Int? {
    guard source != .pointer else { return 0 }
    let used = current.values.map(\.contact)
    return (1..<ProtocolLimits.contacts).first { !used.contains($0) }
  }
}
