// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import Synchronization

/// The contents of a session's root, in the order in which they are created.
package enum SessionRoot: Sendable {
  /// Items of a single session.
  case single([RootItem])
  /// Items that several sessions share, with the session's own items instead of some, ordered by index.
  case shared(CommonRoot, except: [ItemOverride])

  /// An item that replaces a common one.
  package struct ItemOverride: Sendable {
    /// The index of the common item.
    package var place: Int
    /// The item that replaces the common item.
    package var item: RootItem

    /// Creates a replacement.
    package init(place: Int, _ item: RootItem) {
      self.place = place
      self.item = item
    }
  }

  /// All items, with the session's own instead of the common items that they replace.
  package var items: [RootItem] {
    switch self {
    case .single(let items): return items
    case .shared(let common, let own):
      var items = common.items
      for own in own { items[own.place] = own.item }
      return items
    }
  }

  /// The number of items.
  var count: Int {
    switch self {
    case .single(let items): items.count
    case .shared(let common, _): common.items.count
    }
  }

  /// The number of items that show the session's processes.
  var processViews: Int {
    switch self {
    case .single(let items): items.count(where: \.showsProcesses)
    case .shared(let common, let own):
      common.processViews + own.count(where: \.item.showsProcesses)
        - own.count { common.items[$0.place].showsProcesses }
    }
  }
}

extension SessionRoot: ExpressibleByArrayLiteral {
  /// Creates the root of a single session.
  package init(arrayLiteral items: RootItem...) { self = .single(items) }
}

/// Items that the roots of many sessions share. An object, because its identity is compared quickly, and its
/// encoded form is created once.
package final class CommonRoot: Sendable {
  /// The items, including those of one session at the indices that differ.
  package let items: [RootItem]
  /// The number of items that show the processes.
  let processViews: Int
  private let layout = Mutex<EncodedItems?>(nil)

  /// Creates a value from items.
  package init(_ items: [RootItem]) {
    self.items = items
    processViews = items.count(where: \.showsProcesses)
  }

  /// The items in the form for the child.
  var encoded: EncodedItems {
    layout.withLock { layout in
      if let layout { return layout }
      let made = EncodedItems(items)
      layout = made
      return made
    }
  }
}

/// Items in the form for the child.
///
/// `@unchecked Sendable`, because the memory is not written after the initialization.
final class EncodedItems: @unchecked Sendable {
  private let memory = PlanMemory()
  /// The first item, or `nil` if there is none.
  let start: UnsafePointer<darkroom_item>?

  fileprivate init(_ items: [RootItem]) { start = memory.copy(memory.copyEach(items)) }
}
