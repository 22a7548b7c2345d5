// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import Synchronization
import TestSupport
import Testing

@testable import HostService

/// Confirmation of commands by clients, and the socket of a stopping server.
@Suite(.timeLimit(.minutes(20))) struct HandshakeTests {
  private static let call = ServiceRequest.Call(
    words: ["run"],
    environment: [:],
    fileModeMask: 0o077,
    terminal: .none
  )

  @Test func `starts a command after the client has confirmed it and not if the client has disconnected`()
    throws
  {
    let server = try Server()
    let nothing = try FileSystem.open("/dev/null", .readWrite)
    let directory = try FileSystem.open("/", [.path, .directory])
    let streams = [directory.rawValue, nothing.rawValue, nothing.rawValue, nothing.rawValue]
    do {
      // The client receives the acceptance and disconnects without a confirmation.
      let socket = try PacketSocket.connect(server.place.socket, seconds: 2)
      let request = ServiceRequest(version: "1", operation: .run(Self.call)).json.bytes()
      try PacketSocket.send(request, streams, over: socket)
      _ = try Poller.wait([(socket.rawValue, .readable)])
      guard case .packet(let packet) = try PacketSocket.receive(limit: 4096, from: socket) else {
        Issue.record("no answer")
        return
      }
      #expect(ServiceReply(packet.bytes) == .accepted(process: CurrentProcess.processID))
    }
    server.wait { $0.contains { if case .abandoned = $0 { true } else { false } } }
    #expect(server.runs == 0)
    switch ServiceClient.attempt(Self.call, streams, version: "1", at: server.place) {
    case .running(let client):
      let signals = try Pipe.make()
      #expect(try client.wait(passing: signals.readEnd) == .ended(code: 7))
    case .absent: Issue.record("no server")
    case .refused(let refusal): Issue.record("\(refusal)")
    }
    #expect(server.runs == 1)
    try server.end()
  }

  /// Otherwise, the socket is ready in each iteration, and polling takes processor time from the thread.
  @Test func `does not poll a disconnected client while its command thread is finishing`() throws {
    let root = "/tmp/darkroom-handshake-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(root)
    defer { try? FileSystem.removeTree(root) }
    let events = Mutex<[ServiceEvent]>([])
    let server = try HostServer(
      try ServiceEndpoint.acquire(ServicePaths(root: root)),
      ServiceConfiguration(
        version: "1",
        perform: { _ in 0 },
        name: { _ in "run" },
        supply: { PrewarmingStatus(waiting: 0, maximumWaiting: 0, launched: 0, brokered: 0) },
        dismiss: {},
        tell: { event in events.withLock { $0.append(event) } }
      ),
      manager: ServiceManager(environment: { _ in nil }),
      stopper: try ServerStopper()
    )
    let socket: HeldDescriptor
    let peer: PacketPeer
    do {
      let pair = try SocketPair.make()
      socket = HeldDescriptor(try pair.first.duplicate())
      peer = try PacketPeer.of(socket.descriptor)
    }
    let handle = try peer.handle(socket.descriptor)
    let seat = ServiceConnection(socket, peer, handle, patience: .max, refusal: nil)
    let client = try ServedClient(socket, process: peer.process, [])
    seat.command = client
    server.clients = [seat]
    client.isEnding.store(true, ordering: .releasing)
    server.receive(seat)
    #expect(seat.watched == -1)
    client.lastReply.withLock { $0 = .ended(code: 0) }
    for now: UInt64 in 1...2 { server.updateState(seat, at: now) }
    #expect(seat.isDone)
    let told = "\(ServiceEvent.ended(client: peer.process, code: 0))"
    #expect(events.withLock { $0.map { "\($0)" } } == [told])
  }

  @Test func `a stopping server does not remove the socket of its successor`() throws {
    let first = try Server()
    try FileSystem.rename(first.root, to: "\(first.root).old", .replace)
    let second = try Server(root: first.root)
    try first.end()
    #expect(try FileSystem.status(second.place.socket)?.kind == .socket)
    #expect(try FileSystem.status("\(first.root).old/serve/control") == nil)
    try second.end()
    try FileSystem.removeTree("\(first.root).old")
  }

  @Test(arguments: [(1 << 20, 512), (4096, 168), (1024, 40), (64, 0)])
  func `limits the number of clients by the number of descriptors`(descriptors: Int, clients: Int) {
    #expect(ServiceConfiguration.maximumClients(descriptors: descriptors) == clients)
  }
}

/// A server on a thread of this process whose commands only count their runs.
private final class Server: Sendable {
  let root: String
  let place: ServicePaths
  private let eventLog = EventLog()
  private let stop: Pipe
  private let thread: Mutex<PlainThread?>

  /// The recorded events and runs.
  private final class EventLog: Sendable {
    let runs = Mutex(0)
    let events = Mutex<[ServiceEvent]>([])
  }

  init(root: String = "/tmp/darkroom-handshake-\(Randomness.hexadecimal(bytes: 8))") throws {
    self.root = root
    try FileSystem.makeDirectory(root)
    let place = ServicePaths(root: root)
    self.place = place
    stop = try Pipe.make()
    try stop.readEnd.setNonBlocking()
    let (signals, eventLog) = (stop.readEnd.rawValue, eventLog)
    thread = Mutex(
      try PlainThread.start(name: "server") {
        do { try Self.serve(place, eventLog, until: signals) } catch { Issue.record(error) }
      }
    )
    wait { $0.contains { if case .ready = $0 { true } else { false } } }
  }

  deinit { try? FileSystem.removeTree(root) }

  /// The number of commands that were run.
  var runs: Int { eventLog.runs.withLock { $0 } }

  private static func serve(_ place: ServicePaths, _ eventLog: EventLog, until signals: Int32) throws {
    let terms = ServiceConfiguration(
      version: "1",
      perform: { _ in
        eventLog.runs.withLock { $0 += 1 }
        return 7
      },
      name: { _ in "run" },
      supply: { PrewarmingStatus(waiting: 0, maximumWaiting: 0, launched: 0, brokered: 0) },
      dismiss: {},
      tell: { event in eventLog.events.withLock { $0.append(event) } }
    )
    let server = try HostServer(
      try ServiceEndpoint.acquire(place),
      terms,
      manager: ServiceManager(environment: { _ in nil }),
      stopper: try ServerStopper()
    )
    let stop = Descriptor(owning: dup(signals))
    try server.serve(until: stop)
  }

  /// Waits until the events meet a condition.
  func wait(_ condition: ([ServiceEvent]) -> Bool) {
    _ = TestTimeout.waitUntil { eventLog.events.withLock { condition($0) } }
  }

  /// Stops the server like a signal: the record of signalfd(2) has 128 bytes and starts with the number.
  func end() throws {
    try stop.writeEnd.writeAll([UInt8(SIGTERM)] + [UInt8](repeating: 0, count: 127))
    thread.withLock { $0.take() }?.join()
  }
}
