// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
package import HostService
internal import JSONText
package import LinuxPrimitives
internal import Synchronization

/// The server of the interface at a Unix stream socket: JSON-RPC 2.0, one message a line.
///
/// One loop runs on the thread that calls ``serve()``, and never waits for a client. Operations run as
/// tasks.
package final class InterfaceServer {
  private let operations: HostOperations
  private let endpoint: ServiceEndpoint
  /// The attributes of the server. Clients that are confined in another way are not served.
  private let attributes = ProcessAttributes.of(CurrentProcess.processID)
  /// Stops the server, and wakes its loop.
  private let stopper: ServerStopper
  private var connections: [Connected] = []
  /// The time until which no connection is accepted because descriptors were exhausted.
  private var pausedUntil: UInt64 = 0
  /// The number of disconnected clients whose sessions are being migrated.
  private let closing = PendingCount()

  /// The maximum number of connections.
  private static let maximumConnections = 64
  /// The pause after descriptors were exhausted, in nanoseconds.
  private static let acceptPause: UInt64 = 200_000_000
  /// The maximum number of requests of a connection that have no response yet.
  private static let maximumRequests = 256

  /// A connection with the state that only the loop uses.
  private final class Connected {
    let connection: InterfaceConnection
    let client: HostClient
    /// The reason why the client is not served, or `nil`.
    let refusal: String?
    var splitter = LineSplitter()
    /// Whether the version of the interface was negotiated.
    var isGreeted = false
    /// Whether the connection ends after the last message was sent.
    var isEnding = false
    /// The number of requests without a response.
    let pending: PendingCount
    /// The task of the newest input to a session, or `nil` before the first one.
    var newestInput: Task<Void, Never>?

    init(_ connection: InterfaceConnection, _ client: HostClient, refusal: String?) {
      (self.connection, self.client, self.refusal) = (connection, client, refusal)
      pending = PendingCount()
    }
  }

  /// The number of tasks that have not finished.
  private final class PendingCount: Sendable {
    private let count = Mutex(0)

    /// The number of tasks.
    var value: Int { count.withLock { $0 } }

    /// Adds a task, unless the limit is reached. Returns whether it was added.
    @discardableResult
    func add(limit: Int = .max) -> Bool {
      count.withLock { count in
        guard count < limit else { return false }
        count += 1
        return true
      }
    }

    func remove() { count.withLock { $0 -= 1 } }
  }

  /// Creates a server with an acquired endpoint.
  package init(
    _ operations: HostOperations,
    at endpoint: consuming ServiceEndpoint,
    stopper: ServerStopper
  ) {
    (self.operations, self.stopper) = (operations, stopper)
    self.endpoint = endpoint
  }

  /// Serves clients until it is stopped, then dismisses their sessions, and returns after the migration.
  package func serve() throws(SystemCallError) {
    while !stopper.isStopped {
      let polled = connections
      let isPaused = pausedUntil > MonotonicClock.now
      var watched: [(descriptor: Int32, interest: Readiness)] = [
        (stopper.event.rawValue, .readable), (isPaused ? -1 : listener, .readable),
      ]
      watched += polled.map { connected in
        let interest: Readiness = connected.isEnding ? [] : .readable
        let isWriting = connected.connection.isWriting
        return (connected.connection.socket.rawValue, isWriting ? [interest, .writable] : interest)
      }
      let found = try Poller.wait(watched, until: isPaused ? pausedUntil : nil)
      if !found[0].isEmpty { _ = try EventCounter.take(stopper.event.descriptor) }
      if stopper.isStopped { break }
      if !found[1].isEmpty { accept() }
      for (connected, readiness) in zip(polled, found.dropFirst(2)) { serve(connected, readiness) }
    }
    for connected in connections { close(connected) }
    while closing.value > 0 {
      _ = try Poller.wait([(stopper.event.rawValue, .readable)])
      _ = try EventCounter.take(stopper.event.descriptor)
    }
  }

  /// The listening socket, or -1 while no further connection is accepted.
  private var listener: Int32 {
    connections.count < Self.maximumConnections ? endpoint.listener.rawValue : -1
  }

  /// Accepts a connection of this user. Other users cannot enter the directory of the socket; this check does
  /// not rely on it.
  private func accept() {
    let accepted: Descriptor?
    do throws(SystemCallError) { accepted = try PacketSocket.accept(endpoint.listener) } catch {
      // The commands of this process use descriptors, too.
      pausedUntil = MonotonicClock.now + Self.acceptPause
      return
    }
    guard let socket = accepted else { return }
    guard let peer = try? PacketPeer.of(socket), peer.user == CurrentProcess.effectiveUserID else { return }
    let refusal = ClientComparison.refusal(by: attributes, of: peer.process) {
      _ throws(SystemCallError) in try peer.handle(socket)
    }
    let stopper = stopper
    let connection = InterfaceConnection(HeldDescriptor(socket), process: peer.process) { stopper.wake() }
    let client = operations.makeClient { method, params in
      connection.send(InterfaceRequest.notification(method, params))
    }
    connections.append(Connected(connection, client, refusal: refusal))
  }

  /// Reads and writes what is possible.
  private func serve(_ connected: Connected, _ readiness: Readiness) {
    do throws(SystemCallError) {
      if connected.connection.isOverfull { return close(connected) }
      if !readiness.isEmpty, !connected.isEnding, try !receive(connected) { return close(connected) }
      try connected.connection.flush()
      if connected.isEnding, !connected.connection.isWriting { close(connected) }
    } catch { close(connected) }
  }

  /// Reads once. Returns `false` at the end of the stream.
  private func receive(_ connected: Connected) throws(SystemCallError) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    let socket = connected.connection.socket.rawValue
    switch try StreamSocket.receive(into: buffer, fromNumber: socket) {
    case .wouldBlock: return true
    case .end: return false
    case .bytes(let count):
      guard let lines = connected.splitter.add(buffer[..<count], limit: InterfaceConnection.maximumLine)
      else {
        let limit = InterfaceConnection.maximumLine
        refuse(connected, .null, OperationError(-32700, "a line exceeds the limit of \(limit) bytes"))
        return true
      }
      for line in lines where !connected.isEnding && !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) {
        handle(line, of: connected)
      }
      return true
    }
  }

  /// Sends an error, and ends the connection after that.
  private func refuse(_ connected: Connected, _ id: JSONValue, _ error: OperationError) {
    connected.connection.send(InterfaceRequest.response(id, error))
    connected.isEnding = true
  }

  /// Removes a connection, and closes its client in the background.
  private func close(_ connected: Connected) {
    connections.removeAll { $0 === connected }
    closing.add()
    let (client, closing, stopper) = (connected.client, closing, stopper)
    Task {
      await client.close()
      closing.remove()
      stopper.wake()
    }
  }
}

// MARK: - Requests

extension InterfaceServer {
  private func handle(_ line: [UInt8], of connected: Connected) {
    let request: InterfaceRequest
    do throws(InterfaceRequest.Fault) { request = try InterfaceRequest(line) } catch {
      if error.isFatal { return refuse(connected, error.id, error.error) }
      connected.connection.send(InterfaceRequest.response(error.id, error.error))
      return
    }
    guard connected.isGreeted, request.method != InterfaceMethod.hostHello.rawValue else {
      return greet(request, connected)
    }
    guard connected.pending.add(limit: Self.maximumRequests) else {
      let error = OperationError.busy(
        "this connection has \(Self.maximumRequests) requests without a response; wait for one"
      )
      connected.connection.send(InterfaceRequest.response(request.id, error))
      return
    }
    let (connection, client, pending) = (connected.connection, connected.client, connected.pending)
    // Tasks start in any order, and a contact must not end before it begins.
    let isInput = InterfaceMethod(rawValue: request.method)?.isInput == true
    let earlierInput = isInput ? connected.newestInput : nil
    let task = Task {
      await earlierInput?.value
      do throws(OperationError) {
        let result = try await client.perform(request.method, request.params)
        connection.send(request.response(result.value), result.descriptors, completion: result.begin)
      } catch { connection.send(InterfaceRequest.response(request.id, error)) }
      pending.remove()
    }
    if isInput { connected.newestInput = task }
  }

  /// Negotiates the version.
  private func greet(_ request: InterfaceRequest, _ connected: Connected) {
    do throws(OperationError) {
      guard request.method == InterfaceMethod.hostHello.rawValue, !connected.isGreeted else {
        throw OperationError(
          -32600,
          "'host/hello' must be the first request of a connection, and only the first"
        )
      }
      if let refusal = connected.refusal {
        throw OperationError(OperationError.failed, refusal, ["kind": "refused"])
      }
      try InterfaceDescription.current.check(request.method, request.params)
      let versions = request.params["versions"]?.elements ?? []
      connected.connection.send(request.response(try operations.greeting(versions)))
      connected.isGreeted = true
    } catch { refuse(connected, request.id, error) }
  }
}

extension InterfaceMethod {
  /// Whether the method is an input to a session. The inputs of a connection take effect in the order of their
  /// requests.
  fileprivate var isInput: Bool {
    switch self {
    case .sessionPress, .sessionPointer, .sessionAdjust, .sessionDismiss, .sessionTerminate: true
    default: false
    }
  }
}
