// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// Gives a command to the server of a state root, and stands for it in the person's shell until it has ended.
package struct ServiceClient: ~Copyable {
  private let socket: Descriptor
  /// The server's process.
  package let server: Int32

  /// What came of looking for a server.
  package enum Attempt: ~Copyable {
    /// There is none.
    case absent
    /// There is one, which leaves the command to its client.
    case refused(ServiceRefusal)
    /// It runs the command.
    case running(ServiceClient)
  }

  /// How a command that was given away has ended.
  package enum Ending: Sendable, Equatable {
    /// With this exit code.
    case ended(code: Int32)
    /// The server has died with it.
    case lost(server: Int32)
    /// It has not begun: the server has waited too long for the word.
    case notBegun
  }

  /// How long a server may take to answer, in nanoseconds; one that is stopped, or overwhelmed, is as good as none.
  private static let patience: UInt64 = 5_000_000_000

  /// Gives a command away. `descriptors` are its current directory, its standard input, output and error, and its
  /// terminal if it has one.
  package static func attempt(
    _ call: ServiceRequest.Call,
    _ descriptors: [Int32],
    version: String,
    at place: ServicePlace
  ) -> Attempt {
    do throws(SystemCallError) {
      guard let socket = try connect(place) else { return .absent }
      guard try PacketPeer.of(socket).user == CurrentProcess.effectiveUserID else { return .refused(.user) }
      let request = ServiceRequest(version: version, wish: .run(call)).json.bytes()
      do throws(SystemCallError) { try PacketSocket.send(request, descriptors, over: socket) } catch {
        // Whoever has so much in the environment does it with a process of its own.
        if error.errno == .messageTooLong { return .absent }
        // A server that has turned this client away at once has said so before it closed.
        guard let reply = try reply(socket) else { throw error }
        return reply.refusal.map(Attempt.refused) ?? .absent
      }
      switch try reply(socket) {
      case .accepted(let process):
        do throws(SystemCallError) {
          try PacketSocket.send(ServiceNote.begin.json.bytes(), over: socket)
        } catch {
          // It has not heard that, so nothing begins.
          return .absent
        }
        return .running(ServiceClient(socket: socket, server: process))
      case .refused(let refusal): return .refused(refusal)
      // It has ended before anything began, or says something that this version does not know.
      case .ended, .state, nil: return .absent
      }
    } catch { return .refused(.server("\(error)")) }
  }

  /// Who serves a state root, as it says itself; nil: nobody does, or nobody who answers.
  package static func state(version: String, at place: ServicePlace) throws(ServiceRefusal) -> ServiceState? {
    let reply: ServiceReply?
    do throws(SystemCallError) {
      guard let socket = try connect(place) else { return nil }
      guard try PacketPeer.of(socket).user == CurrentProcess.effectiveUserID else {
        throw SystemCallError("connect", path: place.socket, errno: .notPermitted)
      }
      try PacketSocket.send(ServiceRequest(version: version, wish: .state).json.bytes(), over: socket)
      reply = try self.reply(socket)
    } catch { throw .server("\(error)") }
    switch reply {
    case .state(let state): return state
    case .refused(let refusal): throw refusal
    case .accepted, .ended, nil: return nil
    }
  }

  private static func connect(_ place: ServicePlace) throws(SystemCallError) -> Descriptor? {
    do throws(SystemCallError) {
      return try place.withSocketPath { path throws(SystemCallError) in
        try PacketSocket.connect(path, seconds: 2)
      }
    } catch {
      switch error.errno {
      // The socket of a server that has died stays until the next.
      case .noSuchFile, .connectionRefused, .notADirectory, .permissionDenied: return nil
      default: throw error
      }
    }
  }

  /// The next reply; nil: none came in time, or the connection has ended.
  private static func reply(_ socket: borrowing Descriptor) throws(SystemCallError) -> ServiceReply? {
    let found = try Poller.wait([(socket.rawValue, .readable)], until: MonotonicClock.now + patience)
    guard !found[0].isEmpty else { return nil }
    return try received(socket)
  }

  private static func received(_ socket: borrowing Descriptor) throws(SystemCallError) -> ServiceReply? {
    switch try PacketSocket.receive(limit: ServiceReply.mostBytes, from: socket) {
    case .packet(let packet): ServiceReply(packet.bytes)
    case .tooLarge, .end, .nothing: nil
    }
  }

  /// Waits for the command's end, and passes on the signals that `signals` brings. A stop at the terminal is
  /// told before it happens; `SIGTTIN` is how the server says that the command wants keys out of its turn.
  package consuming func wait(
    passing signals: borrowing Descriptor
  ) throws(SystemCallError) -> Ending {
    while true {
      let found = try Poller.wait([(socket.rawValue, .readable), (signals.rawValue, .readable)])
      if !found[0].isEmpty {
        switch try Self.received(socket) {
        case .ended(let code): return .ended(code: code)
        case .refused: return .notBegun
        case .accepted, .state, nil: return .lost(server: server)
        }
      }
      while let signal = try SignalDescriptor.next(signals) { pass(signal) }
    }
  }

  /// Passes a signal on; a server that cannot be told any more is seen to have gone by the next look.
  private borrowing func pass(_ signal: Signal) {
    switch signal {
    case .terminalStop:
      tell(.suspended)
      CurrentProcess.stop()
      tell(.resumed)
    // The command wants to ask the person, whom somebody else may be asking: the server has looked, but before.
    case .terminalInput: if isBehind { CurrentProcess.stopGroup() }
    default: tell(.signal(signal))
    }
  }

  /// Whether another group of processes is in front of this process's terminal.
  private var isBehind: Bool {
    guard let terminal = try? FileSystem.open("/dev/tty", [.read, .nonBlocking]) else { return false }
    return CurrentProcess.isBehind(terminal.rawValue)
  }

  private borrowing func tell(_ note: ServiceNote) {
    try? PacketSocket.send(note.json.bytes(), over: socket)
  }
}

extension ServiceReply {
  /// The refusal that this reply is.
  fileprivate var refusal: ServiceRefusal? {
    if case .refused(let refusal) = self { refusal } else { nil }
  }
}
