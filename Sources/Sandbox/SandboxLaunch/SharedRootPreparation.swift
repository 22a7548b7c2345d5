// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The preparation state of plans that share a ``CommonRoot``, for which only the replaced items are
/// compared.
struct SharedRootPreparation {
  /// An item that replaces a common one.
  private struct Exception {
    var place: Int
    var slot: Slot
  }

  /// The state of a replaced item.
  private enum Slot {
    /// The item was prepared, ignoring the extension's user.
    case prepared(RootItem)
    /// The item is specific to a session and was not prepared. The value is its target.
    case own(String)
  }

  /// The common items.
  let common: CommonRoot
  private let exceptions: [Exception]

  /// Creates the state for the root that the broker prepares. Returns `nil` if the root has no common items,
  /// or if a common item is specific to a session.
  init?(_ root: SessionRoot, _ own: SessionPaths) {
    guard case .shared(let common, let exceptions) = root else { return nil }
    let places = exceptions.map(\.place)
    let isPreparable = common.items.indices.allSatisfy {
      places.contains($0) || !own.contains(common.items[$0])
    }
    guard isPreparable else { return nil }
    self.common = common
    self.exceptions = exceptions.map {
      Exception(
        place: $0.place,
        slot: own.contains($0.item) ? .own($0.item.relativePath) : .prepared($0.item)
      )
    }
  }

  /// Appends the items of a plan that were not prepared. Returns `false` if a replaced item differs from the
  /// prepared state.
  func append(_ items: [SessionRoot.ItemOverride], to result: inout [RootItem]) -> Bool {
    guard items.count == exceptions.count else { return false }
    for (expected, found) in zip(exceptions, items) {
      guard expected.place == found.place else { return false }
      switch expected.slot {
      case .own(let target):
        guard SessionPaths.canBeSessionSpecific(found.item), found.item.relativePath.hasBytes(of: target)
        else { return false }
        result.append(found.item)
      case .prepared(let item):
        guard found.item.isEqualIgnoringOwner(as: item) else { return false }
      }
    }
    return true
  }
}
