// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What differs from one session to the next, so that no broker can make it ahead.
struct OwnPlaces {
  private let paths: Set<String>
  /// The same as items have them, without the leading slash.
  private let places: [String]

  /// Takes the paths of a plan.
  init(_ paths: Set<String>) {
    self.paths = paths
    places = paths.map { String($0.dropFirst()) }
  }

  /// Whether these are a plan's.
  func are(_ paths: Set<String>) -> Bool { paths == self.paths }

  /// Whether an item is one of a session's own.
  func holds(_ item: RootItem) -> Bool {
    Self.canHold(item) && places.contains { $0.hasBytes(of: item.place) }
  }

  /// Whether an item is of a kind that can be a session's own.
  static func canHold(_ item: RootItem) -> Bool {
    switch item {
    case .bind, .file: true
    default: false
    }
  }
}
