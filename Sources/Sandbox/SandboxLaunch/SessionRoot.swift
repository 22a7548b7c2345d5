// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import Synchronization

/// What a session's root holds, in the order in which it is made.
package enum SessionRoot: Sendable {
  /// Items that are this session's alone.
  case single([RootItem])
  /// The items that the sessions of a kind have in common, but for some in whose place this session has its own; those are
  /// in the order of their places.
  case shared(CommonRoot, except: [OwnItem])

  /// An item that stands in the place of a common one.
  package struct OwnItem: Sendable {
    /// Its place among the common items.
    package var place: Int
    /// The item.
    package var item: RootItem

    /// Makes an item.
    package init(place: Int, _ item: RootItem) {
      self.place = place
      self.item = item
    }
  }

  /// All items.
  package var items: [RootItem] {
    switch self {
    case .single(let items): return items
    case .shared(let common, let own):
      var items = common.items
      for own in own { items[own.place] = own.item }
      return items
    }
  }

  /// How many there are.
  var count: Int {
    switch self {
    case .single(let items): items.count
    case .shared(let common, _): common.items.count
    }
  }

  /// How often the session's processes are shown.
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
  /// The root of one session.
  package init(arrayLiteral items: RootItem...) { self = .single(items) }
}

/// Items that the roots of many sessions have in common. An object: it is known at a glance to be the same one, and what a
/// launch makes of it is made once.
package final class CommonRoot: Sendable {
  /// The items, with those of one session in the places that differ.
  package let items: [RootItem]
  /// How often they show the processes.
  let processViews: Int
  private let layout = Mutex<LaidOutItems?>(nil)

  /// Takes items.
  package init(_ items: [RootItem]) {
    self.items = items
    processViews = items.count(where: \.showsProcesses)
  }

  /// The items as the child reads them.
  var laidOut: LaidOutItems {
    layout.withLock { layout in
      if let layout { return layout }
      let made = LaidOutItems(items)
      layout = made
      return made
    }
  }
}

/// Items as the child reads them.
///
/// `@unchecked Sendable`, because what is written once is only read from then on.
final class LaidOutItems: @unchecked Sendable {
  private let memory = PlanMemory()
  /// The first of them; nil: there is none.
  let start: UnsafePointer<darkroom_item>?

  fileprivate init(_ items: [RootItem]) { start = memory.copy(memory.copyEach(items)) }
}
