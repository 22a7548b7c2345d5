// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The paths of items that are specific to a session, so that a broker cannot prepare them.
struct SessionPaths {
  private let paths: Set<String>
  /// The paths without the leading slash, as in items.
  private let places: [String]

  /// Creates a value from the paths of a plan.
  init(_ paths: Set<String>) {
    self.paths = paths
    places = paths.map { String($0.dropFirst()) }
  }

  /// Returns whether these are the paths of a plan.
  func matches(_ paths: Set<String>) -> Bool { paths == self.paths }

  /// Returns whether an item is specific to a session.
  func contains(_ item: RootItem) -> Bool {
    Self.canBeSessionSpecific(item) && places.contains { $0.hasBytes(of: item.relativePath) }
  }

  /// Returns whether an item has a kind that can be specific to a session.
  static func canBeSessionSpecific(_ item: RootItem) -> Bool {
    switch item {
    case .bind, .file: true
    default: false
    }
  }
}
