// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives
internal import Synchronization

/// Network namespaces that sessions had, for those to come.
///
/// To make a network namespace and to take it down is a quarter of what a launch takes the kernel. Nothing that a session of
/// ``LaunchPlan/Network/handedOn`` can call changes anything in one: it makes no socket there but pairs that end with it, has no
/// capability over it, and what is in it but its name is what the kernel has put there. So when no process of a session is
/// left, its network is what it was when it was made, and the next session can have it. Two that live at once never have the
/// same.
///
/// Each is held by a socket in it (the corresponding call is `SIOCGSKNS`, of Linux 4.10). A descriptor of the
/// namespace would hold its inode, too, which every session can look at: its times are those of the first one.
package final class SpareNetworks: Sendable {
  /// Those of sessions of root. Whoever is root here has all privileges over them.
  package static let ofRoot = SpareNetworks()

  /// As many as sessions are likely to be launched at once, and those that were made ahead; each takes the kernel some 200 KiB.
  package static let most = 12

  /// What there is.
  private struct Stock {
    /// The sockets.
    var sockets: [Int32] = []
    /// Whether they can be entered; nil: that was not tried yet.
    var canBeEntered: Bool?
    /// Whether there was a launch that could have left one.
    var hasLaunched = false
  }

  private let stock: Mutex<Stock>

  /// None yet. A broker can enter those that it has made; whether this process can is found out with the first one.
  package init(ofBroker: Bool = false) { stock = Mutex(Stock(canBeEntered: ofBroker ? true : nil)) }

  /// How many there are.
  package var count: Int { stock.withLock { $0.sockets.count } }

  /// Notes a launch in a new network, and says whether that is worth being held. That of the first one is not: most hosts launch one
  /// session and end. Nor is any where this process is a root without CAP_NET_ADMIN, which can make networks and not enter them
  /// again.
  func noteLaunch() -> Bool {
    stock.withLock { stock in
      defer { stock.hasLaunched = true }
      return stock.hasLaunched && stock.canBeEntered != false
    }
  }

  deinit { for socket in stock.withLock({ $0.sockets }) { _ = Descriptor(owning: socket) } }

  /// The one that was given back last; nil: there is none.
  func take() -> SessionNetwork? {
    guard let socket = stock.withLock({ $0.sockets.popLast() }) else { return nil }
    return SessionNetwork(owning: Descriptor(owning: socket), isHandedOn: true, spares: self)
  }

  /// Keeps one that nobody is in any more, unless there are enough.
  fileprivate func keep(_ socket: consuming Descriptor) {
    let number = socket.release()
    let isKept = stock.withLock { stock in
      if stock.canBeEntered == nil { stock.canBeEntered = darkroom_can_enter_network(number) != 0 }
      guard stock.canBeEntered == true, stock.sockets.count < Self.most else { return false }
      stock.sockets.append(number)
      return true
    }
    if !isKept { _ = Descriptor(owning: number) }
  }
}

/// The network namespace of one session, held by the host. It goes with the session, unless it is handed on.
struct SessionNetwork: ~Copyable, Sendable {
  private let socket: Descriptor
  private let spares: SpareNetworks
  /// Whether another session had it before.
  let isHandedOn: Bool

  /// Takes over a socket in it.
  init(owning socket: consuming Descriptor, isHandedOn: Bool, spares: SpareNetworks) {
    self.socket = socket
    self.isHandedOn = isHandedOn
    self.spares = spares
  }

  /// The socket as a number.
  var rawValue: Int32 { socket.rawValue }

  /// Leaves it to a session to come, when no process of this one is left.
  consuming func handOn() {
    let spares = spares
    spares.keep(socket)
  }
}
