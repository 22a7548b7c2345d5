// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// Copies the bytes of standard streams that are sockets through pipes, on a separate thread.
///
/// A session is never passed a socket of the host. Its filter allows messages between its own processes
/// (sendmsg(2)). Over a socket of the host, the same calls could send to any address and pass descriptors in
/// both directions.
final class StreamRelay: Sendable {
  /// One direction of one stream.
  struct Route: Sendable {
    /// The descriptor that bytes are read from.
    var source: HeldDescriptor
    /// The descriptor that bytes are written to.
    var target: HeldDescriptor
    /// Whether the bytes go to the session, so that the source is the socket.
    var isInput: Bool
  }

  /// Readable once the session has ended.
  private let ended: Descriptor
  private let thread = Mutex<PlainThread?>(nil)
  /// Whether every byte was delivered; `nil` until the thread has ended.
  private let isComplete = Mutex<Bool?>(nil)

  /// The routes, until the thread takes them. The thread closes the descriptors of each route at its end, so
  /// no other object may hold them.
  private let routes: Mutex<[Route]>

  private init(_ routes: [Route]) throws(SystemCallError) {
    self.routes = Mutex(routes)
    ended = try EventCounter.make()
  }

  private func takeRoutes() -> [Route] {
    routes.withLock { routes in
      defer { routes = [] }
      return routes
    }
  }

  /// Starts a thread that carries bytes along these routes.
  static func start(_ routes: [Route]) throws(SystemCallError) -> StreamRelay {
    let relay = try StreamRelay(routes)
    let end = relay.ended.rawValue
    // The thread must not retain the relay, because the relay retains the thread.
    let started = try PlainThread.start(name: "streams") { [weak relay] in
      var pump = StreamPump(relay?.takeRoutes() ?? [], end: end)
      let isComplete = pump.run()
      relay?.isComplete.withLock { $0 = isComplete }
    }
    var thread = Optional(started)
    relay.thread.withLock { $0 = thread.take() }
    return relay
  }

  /// Waits until all bytes that the session wrote are delivered, or a reader has taken none of them for five
  /// seconds.
  ///
  /// Call this function once, when no process of the session is left. Returns whether all bytes were
  /// delivered.
  func finish() -> Bool {
    try? EventCounter.add(to: ended)
    thread.withLock { $0.take() }?.join()
    return isComplete.withLock { $0 } ?? false
  }
}

/// Moves bytes along the routes of one session until all of them have ended.
private struct StreamPump {
  /// A route, and the bytes that its target has not taken yet.
  private struct Flow {
    var route: StreamRelay.Route
    var pending: ArraySlice<UInt8> = []
    /// Whether the source has more bytes.
    var isOpen = true
    /// Whether the route has delivered all of its bytes.
    var isFinished: Bool { !isOpen && pending.isEmpty }
  }

  private var flows: [Flow]
  private let end: Int32
  /// The time at which bytes were moved last, or `nil` until the session has ended.
  private var lastProgress: UInt64?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

  /// The time for which a reader may read nothing after the session has ended, in nanoseconds.
  private static let readerTimeout: UInt64 = 5_000_000_000

  init(_ routes: [StreamRelay.Route], end: Int32) {
    flows = routes.map { Flow(route: $0) }
    self.end = end
  }

  /// Moves bytes until all routes have ended. Returns whether every byte was delivered.
  mutating func run() -> Bool {
    defer { buffer.deallocate() }
    while !flows.isEmpty {
      let deadline = lastProgress.map { $0 + Self.readerTimeout }
      guard let found = try? Poller.wait(watched, until: deadline) else { return false }
      if let deadline, MonotonicClock.now >= deadline { return false }
      move(Array(found.dropFirst()))
      if lastProgress == nil, !found[0].isEmpty { noteEnd() }
    }
    return true
  }

  /// The descriptors to poll: the end of the session, then the source and the target of each flow.
  private var watched: [(descriptor: Int32, interest: Readiness)] {
    var list: [(descriptor: Int32, interest: Readiness)] = [(lastProgress == nil ? end : -1, .readable)]
    for flow in flows {
      let (source, target) = (flow.route.source.rawValue, flow.route.target.rawValue)
      list.append((flow.pending.isEmpty && flow.isOpen ? source : -1, .readable))
      // Poll with no requested events reports only the loss of the reader (POLLERR on a pipe).
      let isIdle = flow.pending.isEmpty
      list.append((isIdle && !flow.route.isInput ? -1 : target, isIdle ? [] : .writable))
    }
    return list
  }

  /// Records that the session has ended. Bytes for it are discarded.
  private mutating func noteEnd() {
    lastProgress = MonotonicClock.now
    flows.removeAll { $0.route.isInput }
  }

  private mutating func move(_ found: [Readiness]) {
    for index in flows.indices.reversed() {
      let (source, target) = (found[2 * index], found[2 * index + 1])
      do throws(SystemCallError) {
        if !source.isEmpty { try fill(index) }
        if !target.isEmpty || !source.isEmpty { try drain(index) }
        if target.contains(.error) { flows[index].isOpen = false }
      } catch {
        // The reader has closed its end, or the connection of the writer is broken. The other side of the
        // route sees the end of the file.
        (flows[index].isOpen, flows[index].pending) = (false, [])
      }
      if flows[index].isFinished { flows.remove(at: index) }
    }
  }

  /// Reads once from the source of a flow.
  private mutating func fill(_ index: Int) throws(SystemCallError) {
    let route = flows[index].route
    let outcome =
      route.isInput
      ? try StreamSocket.receive(into: buffer, fromNumber: route.source.rawValue)
      : try route.source.descriptor.read(into: buffer)
    switch outcome {
    case .bytes(let count): flows[index].pending = Array(buffer[..<count])[...]
    case .end: flows[index].isOpen = false
    case .wouldBlock: break
    }
  }

  /// Writes as many bytes as the target of a flow takes.
  private mutating func drain(_ index: Int) throws(SystemCallError) {
    let route = flows[index].route
    while !flows[index].pending.isEmpty {
      let count =
        route.isInput
        ? try route.target.descriptor.write(flows[index].pending)
        : try StreamSocket.send(flows[index].pending, toNumber: route.target.rawValue)
      guard let count else { return }
      flows[index].pending = flows[index].pending.dropFirst(count)
      if lastProgress != nil { lastProgress = MonotonicClock.now }
    }
  }
}
