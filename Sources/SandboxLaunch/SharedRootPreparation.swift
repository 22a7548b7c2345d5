// SPDX-License-Identifier: Apache-2.0

/// What a broker knows of plans whose items are those of one ``CommonRoot``: only what a plan has instead of some of them
/// is looked at.
struct SharedRootPreparation {
  /// An item that a plan has instead of a common one.
  private struct Exception {
    var place: Int
    /// What was prepared there; nil: nothing, for it is a session's own.
    var prepared: RootItem?
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
      Exception(place: $0.place, prepared: own.holds($0.item) ? nil : $0.item)
    }
  }

  /// What a plan has beside what was prepared; nil if it has something else in a place of what was.
  func ownItems(among items: [SessionRoot.OwnItem], _ own: OwnPlaces) -> [RootItem]? {
    guard items.count == exceptions.count else { return nil }
    var result: [RootItem] = []
    for (expected, found) in zip(exceptions, items) {
      guard expected.place == found.place else { return nil }
      switch (expected.prepared, own.holds(found.item)) {
      case (nil, true): result.append(found.item)
      case (let prepared?, false) where found.item.isSameButForOwner(as: prepared): continue
      default: return nil
      }
    }
    return result
  }
}
