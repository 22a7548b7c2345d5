// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// What can happen to a running extension.
package enum ConnectionEvent: Equatable {
  /// The host tells something.
  case notification(HostNotification)
  /// There are frames that were not looked at yet.
  case frames
  /// The host has closed.
  case ended
}

/// Whether frames are waited for.
package enum FrameInterest {
  /// No.
  case none
  /// Wait for the next one, which this eventfd announces; the caller empties it.
  case next(descriptor: Int32)
  /// There is one already: look for messages, but do not wait.
  case pending
}

/// The extension's end of the conversation: it waits, sends and answers, all in the thread that calls it.
///
/// Besides read, write and ppoll it makes no system call, so that the smallest policy suffices.
package final class ExtensionConnection {
  /// What the host has said about the session.
  package let start: SessionStart
  private let pipes: MessagePipes
  private var queue: [HostNotification] = []
  private var answer: Reply.Outcome?
  private var open: RequestID?
  private var lastID: Int64 = 0

  /// Waits for `session/start` and answers it.
  package init(
    input: consuming Descriptor,
    output: consuming Descriptor
  ) throws(ExtensionFailure) {
    let pipes = MessagePipes(input: input, output: output)
    while try !pipes.hasLine() {
      guard try pipes.receive() else { throw .hostGone }
    }
    guard case .request(let id, .sessionStart(let start)) = try pipes.nextMessage() else {
      throw .violation(ProtocolViolation(.outOfOrder(expected: "the request session/start first")))
    }
    let version: Int
    do throws(VersionMismatch) {
      version = try ProtocolVersion.negotiate(offered: start.protocolVersions)
    } catch {
      try pipes.send(.reply(Reply(id: id, .failure(.unsupportedVersion(error)))))
      throw .unsupportedVersion(error)
    }
    try pipes.send(.reply(Reply(id: id, result: SessionStartResult(protocolVersion: version))))
    self.start = start
    self.pipes = pipes
  }

  /// The next thing that happens; waits for it.
  ///
  /// Messages come before frames, so that a fast camera cannot hold back a dismissal.
  package func next(_ interest: FrameInterest) throws(ExtensionFailure) -> ConnectionEvent {
    while true {
      try handleLines()
      if !queue.isEmpty { return .notification(queue.removeFirst()) }
      let found = try pipes.wait(interest)
      if found.message, try !pipes.receive() { return .ended }
      if !found.message, found.frame { return .frames }
    }
  }

  /// Sends a request and waits for its result; what the host tells meanwhile is kept for ``next(_:)``.
  package func call<Result: WireValue>(
    _ request: ExtensionRequest,
    _ type: Result.Type
  ) throws(CallFailure) -> Result {
    lastID += 1
    let id = RequestID.integer(lastID)
    do throws(ExtensionFailure) {
      try pipes.send(.request(id: id, request))
      open = id
      while answer == nil {
        let hasLine = try pipes.hasLine()
        if !hasLine, try !pipes.receive() { throw .hostGone }
        try handleLines()
      }
    } catch {
      throw .connection(error)
    }
    defer { answer = nil }
    switch answer {
    case .failure(let error)?: throw .refused(error)
    case .success(let value)?:
      do { return try Result(result: value, of: request.method) } catch {
        throw .connection(.violation(error))
      }
    case nil: throw .connection(.hostGone)
    }
  }

  /// Tells the host something.
  package func notify(_ notification: ExtensionNotification) throws(ExtensionFailure) {
    try pipes.send(.notification(notification))
  }

  /// Takes every whole line apart.
  private func handleLines() throws(ExtensionFailure) {
    while let message = try pipes.nextMessage() {
      switch message {
      case .notification(let notification): queue.append(notification)
      case .reply(let reply):
        guard let open, reply.id == open else {
          throw .violation(ProtocolViolation(id: reply.id, .unexpectedReply))
        }
        self.open = nil
        answer = reply.outcome
      case .request:
        let expected = "session/start only once, as the first message"
        throw .violation(
          ProtocolViolation(method: HostMethod.sessionStart.rawValue, .outOfOrder(expected: expected))
        )
      case .unknownRequest(let id, let method):
        let text = "the extension knows no method \"\(method)\" in protocol version 1"
        try pipes.send(.reply(Reply(id: id, error: .methodNotFound, text)))
      case .unknownNotification: break
      }
    }
  }
}

/// Why a request brought no result.
package enum CallFailure: Error, Equatable {
  /// The host has answered with an error.
  case refused(ErrorObject)
  /// The conversation itself has failed.
  case connection(ExtensionFailure)
}
