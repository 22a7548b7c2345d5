// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// Network namespaces that sessions had, for those to come.
///
/// To make a network namespace and to take it down is a quarter of what a launch takes the kernel. Nothing that a session of
/// ``LaunchPlan/Network/handedOn`` can call changes anything in one: it makes no socket there but pairs that end with it, has no
/// capability over it, and what is in it but its name is what the kernel has put there. So when no process of a session is
/// left, its network is what it was when it was made, and the next session can have it. Two that live at once never have the
/// same.
package final class SpareNetworks: Sendable {
  /// Those of sessions of root. Whoever is root here has all privileges over them.
  package static let ofRoot = SpareNetworks()

  /// As many as sessions are likely to be launched at once, and those that were made ahead; each takes the kernel some 200 KiB.
  package static let most = 12

  private let spare = Mutex<[Int32]>([])

  /// None yet.
  package init() {}

  /// How many there are.
  package var count: Int { spare.withLock { $0.count } }

  deinit { for descriptor in spare.withLock({ $0 }) { _ = Descriptor(owning: descriptor) } }

  /// The one that was given back last; nil: there is none.
  func take() -> SessionNetwork? {
    guard let descriptor = spare.withLock({ $0.popLast() }) else { return nil }
    return SessionNetwork(owning: Descriptor(owning: descriptor), isHandedOn: true, spares: self)
  }

  /// Keeps one that nobody is in any more, unless there are enough.
  fileprivate func keep(_ descriptor: consuming Descriptor) {
    let number = descriptor.release()
    let isKept = spare.withLock { spare in
      guard spare.count < Self.most else { return false }
      spare.append(number)
      return true
    }
    if !isKept { _ = Descriptor(owning: number) }
  }
}

/// The network namespace of one session, held by the host. It goes with the session, unless it is handed on.
struct SessionNetwork: ~Copyable, Sendable {
  private let descriptor: Descriptor
  private let spares: SpareNetworks
  /// Whether another session had it before.
  let isHandedOn: Bool

  /// Takes over the namespace.
  init(owning descriptor: consuming Descriptor, isHandedOn: Bool, spares: SpareNetworks) {
    self.descriptor = descriptor
    self.isHandedOn = isHandedOn
    self.spares = spares
  }

  /// The namespace as a number.
  var rawValue: Int32 { descriptor.rawValue }

  /// Leaves it to a session to come, when no process of this one is left.
  consuming func handOn() {
    let spares = spares
    spares.keep(descriptor)
  }
}
