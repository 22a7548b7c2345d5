// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import JSONText
package import LinuxPrimitives

/// What can happen to a running extension.
package enum ConnectionEvent: Equatable {
  /// The host tells something.
  case notification(HostNotification)
  /// There are frames that were not looked at yet, or sound, or there is work for the main thread.
  case ready(frames: Bool, sound: Bool, work: Bool)
  /// The time is up.
  case timeUp
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
  /// Who waits for the answer to a request, by its identifier.
  private var waiting: [(id: Int64, completion: (Reply.Outcome?) -> Void)] = []
  private var lastID: Int64 = 0
  private var knowledge: ContextKnowledge

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
    knowledge = ContextKnowledge(start.appContext)
    self.pipes = pipes
  }

  /// The app context as the host has last told or confirmed it; null for none.
  package var context: JSONValue { knowledge.context }

  /// The next thing that happens; waits for it, with a `deadline` at most until then.
  ///
  /// `sound` is the eventfd that announces sound, if some is waited for. Messages come before frames, sound and work, so that neither a fast camera nor a busy task can hold back a dismissal.
  package func next(
    _ interest: FrameInterest,
    sound: Int32? = nil,
    waking: Int32? = nil,
    until deadline: UInt64? = nil
  ) throws(ExtensionFailure) -> ConnectionEvent {
    while true {
      try handleLines()
      if !queue.isEmpty {
        let notification = queue.removeFirst()
        knowledge.told(notification)
        return .notification(notification)
      }
      let found = try pipes.wait(interest, sound: sound, waking: waking, until: deadline)
      if found.message {
        if try !pipes.receive() { return .ended }
        continue
      }
      return found.frame || found.sound || found.work
        ? .ready(frames: found.frame, sound: found.sound, work: found.work) : .timeUp
    }
  }

  /// Sends a request and waits for its result; what the host tells meanwhile is kept for ``next(_:sound:waking:until:)``.
  package func call<Result: WireValue>(
    _ request: ExtensionRequest,
    _ type: Result.Type
  ) throws(CallFailure) -> Result {
    // A class, because the closure outlives this call if the conversation fails.
    let answer = Answer()
    do throws(ExtensionFailure) {
      try ask(request) { answer.outcome = $0 }
      try receive { answer.outcome == nil }
    } catch {
      throw .connection(error)
    }
    guard let outcome = answer.outcome else { throw .connection(.hostGone) }
    return try Self.result(of: request, outcome, type)
  }

  /// Takes what the host sends as long as answers are missing; what it tells is kept for ``next(_:sound:waking:until:)``.
  package func receive(while isMissing: () -> Bool) throws(ExtensionFailure) {
    while isMissing() {
      let hasLine = try pipes.hasLine()
      if !hasLine, try !pipes.receive() { throw .hostGone }
      try handleLines()
    }
  }

  /// Sends a request; `completion` gets its outcome during a later ``next(_:sound:waking:until:)`` or call, or nil when
  /// ``abandonRequests()`` says that none will come.
  @discardableResult
  package func ask(
    _ request: ExtensionRequest,
    completion: @escaping (Reply.Outcome?) -> Void
  ) throws(ExtensionFailure) -> Int64 {
    lastID += 1
    try pipes.send(.request(id: .integer(lastID), request))
    waiting.append((lastID, completion))
    knowledge.asked(request, lastID)
    return lastID
  }

  /// Forgets who waits for the answer to a request; the answer is still allowed to come.
  package func ignoreReply(to id: Int64) {
    if let index = waiting.firstIndex(where: { $0.id == id }) { waiting[index].completion = { _ in } }
  }

  /// Tells everybody who waits for an answer that none will come.
  package func abandonRequests() {
    // In the order in which they were asked.
    let abandoned = waiting
    waiting = []
    for (_, completion) in abandoned { completion(nil) }
  }

  /// The typed result of a request.
  package static func result<Result: WireValue>(
    of request: ExtensionRequest,
    _ outcome: Reply.Outcome,
    _ type: Result.Type
  ) throws(CallFailure) -> Result {
    switch outcome {
    case .failure(let error): throw .refused(error)
    case .success(let value):
      do { return try Result(result: value, of: request.method) } catch {
        throw .connection(.violation(error))
      }
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
      case .notification(let notification):
        queue.append(notification)
      case .reply(let reply):
        guard case .integer(let id)? = reply.id, let index = waiting.firstIndex(where: { $0.id == id }) else {
          throw .violation(ProtocolViolation(id: reply.id, .unexpectedReply))
        }
        let completion = waiting.remove(at: index).completion
        knowledge.answered(reply.outcome, id, waiting: &queue)
        completion(reply.outcome)
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

/// The answer that a call waits for.
private final class Answer {
  /// What came of the request, once it is known.
  var outcome: Reply.Outcome?
}

/// Why a request brought no result.
package enum CallFailure: Error, Equatable {
  /// The host has answered with an error.
  case refused(ErrorObject)
  /// The conversation itself has failed.
  case connection(ExtensionFailure)
}
