// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// Passes a command to the server of a state root, and represents the command in the user's shell until it
/// exits.
package struct ServiceClient: ~Copyable {
  private let socket: Descriptor
  /// The PID of the server.
  package let server: Int32

  /// The result of an attempt to use a server.
  package enum Attempt: ~Copyable {
    /// No server is available.
    case absent
    /// A server runs, but refuses the command; the client has to run it.
    case refused(ServiceRefusal)
    /// The server runs the command.
    case running(ServiceClient)
  }

  /// The result of a command that a server runs.
  package enum Ending: Sendable, Equatable {
    /// The command exited with this code.
    case ended(code: Int32)
    /// The server terminated before the command exited.
    case lost(server: Int32)
    /// The command was not started, because the client's confirmation did not reach the server in time.
    case notStarted
  }

  /// The time limit for a server's reply, in nanoseconds. A stopped or overloaded server is treated as
  /// absent.
  private static let timeout: UInt64 = 5_000_000_000

  /// Passes a command to the server, if one is available.
  ///
  /// - Parameters:
  ///   - call: The command.
  ///   - descriptors: The working directory, the standard streams, and the terminal if there is one.
  ///   - version: The version of this client.
  ///   - place: The location of the server.
  /// - Returns: The result of the attempt.
  package static func attempt(
    _ call: ServiceRequest.Call,
    _ descriptors: [Int32],
    version: String,
    at place: ServicePaths
  ) -> Attempt {
    do throws(SystemCallError) {
      guard let socket = try connect(place) else { return .absent }
      guard try PacketPeer.of(socket).user == CurrentProcess.effectiveUserID else { return .refused(.user) }
      let request = ServiceRequest(version: version, operation: .run(call)).json.bytes()
      do throws(SystemCallError) { try PacketSocket.send(request, descriptors, over: socket) } catch {
        // The environment does not fit into one packet, so the client runs the command itself.
        if error.errno == .messageTooLong { return .absent }
        // A server that refuses a client immediately sends its reply before it closes the connection.
        guard let reply = try reply(socket) else { throw error }
        return reply.refusal.map(Attempt.refused) ?? .absent
      }
      switch try reply(socket) {
      case .accepted(let process):
        do throws(SystemCallError) {
          try PacketSocket.send(ServiceClientMessage.begin.json.bytes(), over: socket)
        } catch {
          // The server has not received the confirmation, so it does not start the command.
          return .absent
        }
        return .running(ServiceClient(socket: socket, server: process))
      case .refused(let refusal): return .refused(refusal)
      // The connection was closed before the command started, or the reply is unknown to this version.
      case .ended, .state, nil: return .absent
      }
    } catch { return .refused(.server("\(error)")) }
  }

  /// Returns the state that the server of a state root reports, or `nil` if no server replies.
  package static func state(version: String, at place: ServicePaths) throws(ServiceRefusal) -> ServiceState? {
    let reply: ServiceReply?
    do throws(SystemCallError) {
      guard let socket = try connect(place) else { return nil }
      guard try PacketPeer.of(socket).user == CurrentProcess.effectiveUserID else {
        throw SystemCallError("connect", path: place.socket, errno: .notPermitted)
      }
      try PacketSocket.send(ServiceRequest(version: version, operation: .state).json.bytes(), over: socket)
      reply = try self.reply(socket)
    } catch { throw .server("\(error)") }
    switch reply {
    case .state(let state): return state
    case .refused(let refusal): throw refusal
    case .accepted, .ended, nil: return nil
    }
  }

  private static func connect(_ place: ServicePaths) throws(SystemCallError) -> Descriptor? {
    do throws(SystemCallError) {
      return try place.withSocketPath { path throws(SystemCallError) in
        try PacketSocket.connect(path, seconds: 2)
      }
    } catch {
      switch error.errno {
      // The socket of a terminated server remains until the next server starts.
      case .noSuchFile, .connectionRefused, .notADirectory, .permissionDenied: return nil
      default: throw error
      }
    }
  }

  /// Returns the next reply, or `nil` if it did not arrive in time or the connection was closed.
  private static func reply(_ socket: borrowing Descriptor) throws(SystemCallError) -> ServiceReply? {
    let found = try Poller.wait([(socket.rawValue, .readable)], until: MonotonicClock.now + timeout)
    guard !found[0].isEmpty else { return nil }
    return try received(socket)
  }

  private static func received(_ socket: borrowing Descriptor) throws(SystemCallError) -> ServiceReply? {
    switch try PacketSocket.receive(limit: ServiceReply.maximumBytes, from: socket) {
    case .packet(let packet): ServiceReply(packet.bytes)
    case .tooLarge, .end, .nothing: nil
    }
  }

  /// Waits until the command exits, and forwards the signals from the `signals` descriptor.
  ///
  /// The server is notified of a terminal stop before this process stops. The server sends `SIGTTIN` if the
  /// command wants to read keys while this process is in the background.
  package consuming func wait(
    passing signals: borrowing Descriptor
  ) throws(SystemCallError) -> Ending {
    while true {
      let found = try Poller.wait([(socket.rawValue, .readable), (signals.rawValue, .readable)])
      if !found[0].isEmpty {
        switch try Self.received(socket) {
        case .ended(let code): return .ended(code: code)
        case .refused: return .notStarted
        case .accepted, .state, nil: return .lost(server: server)
        }
      }
      while let signal = try SignalDescriptor.next(signals) { forward(signal) }
    }
  }

  /// Forwards a signal. If the server has exited, the next wait detects that.
  private borrowing func forward(_ signal: Signal) {
    switch signal {
    case .terminalStop:
      send(.suspended)
      CurrentProcess.stop()
      send(.resumed)
    // The command wants to prompt the user. The server has checked the foreground process group earlier, so
    // it is checked again.
    case .terminalInput: if isInBackground { CurrentProcess.stopGroup() }
    default: send(.signal(signal))
    }
  }

  /// Whether another process group is in the foreground of this process's terminal.
  private var isInBackground: Bool {
    guard let terminal = try? FileSystem.open("/dev/tty", [.read, .nonBlocking]) else { return false }
    return CurrentProcess.isInBackground(terminal.rawValue)
  }

  private borrowing func send(_ note: ServiceClientMessage) {
    try? PacketSocket.send(note.json.bytes(), over: socket)
  }
}

extension ServiceReply {
  /// The refusal, or `nil` if this is another reply.
  fileprivate var refusal: ServiceRefusal? {
    if case .refused(let refusal) = self { refusal } else { nil }
  }
}
