// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives
internal import Synchronization

/// Network namespaces of ended sessions, for reuse by later sessions.
///
/// Creating and destroying a network namespace takes a quarter of the kernel's time for a launch. A session
/// of ``LaunchPlan/Network/reused`` cannot change its network namespace: it can create only socket pairs,
/// which end with it, and has no capability over the namespace. Apart from its name, the namespace contains
/// only what the kernel has created. When all processes of a session have exited, the namespace is therefore
/// in its initial state, and the next session can use it. Two running sessions never share one.
///
/// Each namespace is held by a socket in it (the corresponding call is `SIOCGSKNS`, Linux 4.10). A descriptor
/// of the namespace would also hold its inode, whose times every session can read, and which would be those
/// of the first session.
package final class SpareNetworks: Sendable {
  /// The namespaces of sessions of root, over which root in this process has all privileges.
  package static let ofRoot = SpareNetworks()

  /// The maximum number: the likely number of concurrent launches, and the prepared sessions. Each takes the
  /// kernel about 200 KiB.
  package static let capacity = 12

  /// The available namespaces.
  private struct Stock {
    /// The sockets in the namespaces.
    var sockets: [Int32] = []
    /// Whether the namespaces can be entered, or `nil` if this is unknown.
    var canBeEntered: Bool?
    /// Whether there was a launch that could have left a namespace.
    var hasLaunched = false
  }

  private let stock: Mutex<Stock>

  /// Creates an empty collection. A broker can enter the namespaces that it has created. For this process, it
  /// is tested with the first one.
  package init(ofBroker: Bool = false) { stock = Mutex(Stock(canBeEntered: ofBroker ? true : nil)) }

  /// The number of available namespaces.
  package var count: Int { stock.withLock { $0.sockets.count } }

  /// Records a launch in a new namespace, and returns whether the namespace should be held for reuse.
  ///
  /// The first one is not held, because most hosts launch a single session. Nor is any if this process is
  /// root without CAP_NET_ADMIN, and can create namespaces but not enter them again.
  func noteLaunch() -> Bool {
    stock.withLock { stock in
      defer { stock.hasLaunched = true }
      return stock.hasLaunched && stock.canBeEntered != false
    }
  }

  deinit { for socket in stock.withLock({ $0.sockets }) { _ = Descriptor(owning: socket) } }

  /// Returns the namespace that was added last, or `nil` if there is none.
  func take() -> SessionNetwork? {
    guard let socket = stock.withLock({ $0.sockets.popLast() }) else { return nil }
    return SessionNetwork(owning: Descriptor(owning: socket), isReused: true, spares: self)
  }

  /// Adds a namespace without processes, unless the maximum is reached.
  fileprivate func keep(_ socket: consuming Descriptor) {
    let number = socket.release()
    let isKept = stock.withLock { stock in
      if stock.canBeEntered == nil { stock.canBeEntered = darkroom_can_enter_network(number) != 0 }
      guard stock.canBeEntered == true, stock.sockets.count < Self.capacity else { return false }
      stock.sockets.append(number)
      return true
    }
    if !isKept { _ = Descriptor(owning: number) }
  }
}

/// The network namespace of one session, held by the host. It is destroyed with the session, unless it is
/// kept for reuse.
struct SessionNetwork: ~Copyable, Sendable {
  private let socket: Descriptor
  private let spares: SpareNetworks
  /// Whether another session used the namespace before.
  let isReused: Bool

  /// Takes ownership of a socket in the namespace.
  init(owning socket: consuming Descriptor, isReused: Bool, spares: SpareNetworks) {
    self.socket = socket
    self.isReused = isReused
    self.spares = spares
  }

  /// The descriptor of the socket.
  var rawValue: Int32 { socket.rawValue }

  /// Makes the namespace available to later sessions, when no process of this session is left.
  consuming func makeAvailable() {
    let spares = spares
    spares.keep(socket)
  }
}
