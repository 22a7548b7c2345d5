// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What a broker knows of plans whose items are those of one ``CommonRoot``: only what a plan has instead of some of them
/// is looked at.
struct SharedRootPreparation {
  /// An item that a plan has instead of a common one.
  private struct Exception {
    var place: Int
    var standing: Standing
  }

  /// What stands in such a place.
  private enum Standing {
    /// What was prepared there, for whoever the extension is.
    case prepared(RootItem)
    /// Nothing yet, for it is a session's own, with this target.
    case own(String)
  }

  /// What the plans have in common.
  let common: CommonRoot
  private let exceptions: [Exception]

  /// Looks at the root that the broker prepares; nil if it shares nothing, or if there is more in common than can be
  /// prepared.
  init?(_ root: SessionRoot, _ own: OwnPlaces) {
    guard case .shared(let common, let exceptions) = root else { return nil }
    let places = exceptions.map(\.place)
    let isPreparable = common.items.indices.allSatisfy { places.contains($0) || !own.holds(common.items[$0]) }
    guard isPreparable else { return nil }
    self.common = common
    self.exceptions = exceptions.map {
      Exception(place: $0.place, standing: own.holds($0.item) ? .own($0.item.place) : .prepared($0.item))
    }
  }

  /// Appends what a plan has beside what was prepared; false if it has something else in a place of what was, or of what is a
  /// session's own.
  func append(_ items: [SessionRoot.OwnItem], to result: inout [RootItem]) -> Bool {
    guard items.count == exceptions.count else { return false }
    for (expected, found) in zip(exceptions, items) {
      guard expected.place == found.place else { return false }
      switch expected.standing {
      case .own(let target):
        guard OwnPlaces.canHold(found.item), found.item.place.hasBytes(of: target) else { return false }
        result.append(found.item)
      case .prepared(let item):
        guard found.item.isSameButForOwner(as: item) else { return false }
      }
    }
    return true
  }
}
