// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import JSONText
package import LinuxPrimitives

/// The extension's end of the connection to its host; it sends and receives on the calling thread.
///
/// Only the main thread uses it; ``threadCalls`` are for all threads.
///
/// It uses only the system calls read(2), write(2) and ppoll(2), so that the smallest policy suffices.
package final class ExtensionConnection {
  /// The parameters of `session/start`.
  package let start: SessionStart
  private let pipes: MessagePipes
  private var queue: [HostNotification] = []
  /// The completion handlers of the unanswered requests, by the ID of the request.
  private var pending: [(id: Int64, completion: (Reply.Outcome?) -> Void)] = []
  /// The calls from any thread.
  let threadCalls: ThreadCalls
  private var contextTracker: AppContextTracker

  /// Waits for `session/start` and replies to it.
  ///
  /// - Parameters:
  ///   - input: The pipe from the host.
  ///   - output: The pipe to the host.
  /// - Throws: ``ExtensionFailure`` if the host closes the pipe, violates the protocol or supports no common
  ///   version.
  package init(
    input: consuming Descriptor,
    output: consuming Descriptor
  ) throws(ExtensionFailure) {
    let pipes = MessagePipes(input: input, output: output)
    while try !pipes.hasLine() {
      guard try pipes.receive() else { throw .hostClosed }
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
    contextTracker = AppContextTracker(start.appContext)
    self.pipes = pipes
    threadCalls = ThreadCalls(pipes)
  }

  /// The app context that the host last reported or confirmed, or null if there is none.
  package var context: JSONValue { contextTracker.context }

  /// Serves the main run loop during ``next(_:sound:waking:until:)``, if the program contains all of Foundation.
  ///
  /// - Returns: Whether the run loop is served; it also drains the main queue.
  /// - Throws: ``ExtensionFailure`` if a system call fails.
  func serveRunLoop() throws(ExtensionFailure) -> Bool {
    do throws(SystemCallError) { pipes.runLoop = try FoundationRunLoop.main() } catch { throw .system(error) }
    return pipes.runLoop != nil
  }

  /// Waits for the next event.
  ///
  /// Messages take precedence over frames, sound and work, so that neither a fast camera nor a busy task can
  /// delay a dismissal.
  ///
  /// - Parameters:
  ///   - interest: Whether to wait for frames.
  ///   - sound: The eventfd that announces sound, or `nil` to ignore sound.
  ///   - waking: A descriptor that becomes readable when the main thread has work, or `nil`.
  ///   - deadline: The latest time, in nanoseconds of the monotonic clock, or `nil` to wait without a limit.
  /// - Returns: The event. It is `timedOut` early if the main run loop has handled an event. It is `ready`
  ///   without any work after a call of another thread, which may have changed the parameters.
  /// - Throws: ``ExtensionFailure`` if the host violates the protocol or a system call fails.
  package func next(
    _ interest: FrameInterest,
    sound: Int32? = nil,
    waking: Int32? = nil,
    until deadline: UInt64? = nil
  ) throws(ExtensionFailure) -> ConnectionEvent {
    var deadline = deadline
    if pipes.runLoop != nil {
      // The right to read is free meanwhile: code in the run loop may wait for a thread that calls the host.
      if try isIdle() { try pipes.runMainRunLoop(interest, sound: sound, until: deadline) }
      deadline = 0
    }
    let isInterrupted = threadCalls.beginReading()
    defer { threadCalls.endReading() }
    if isInterrupted { return .ready(frames: false, sound: false, work: false) }
    while true {
      if try handleLines() { return .ready(frames: false, sound: false, work: false) }
      if !queue.isEmpty {
        let notification = queue.removeFirst()
        contextTracker.didDeliver(notification)
        return .notification(notification)
      }
      let found = try pipes.wait(interest, sound: sound, waking: waking, until: deadline)
      if found.message {
        if try !pipes.receive() { return .closed }
        continue
      }
      return found.frame || found.sound || found.work
        ? .ready(frames: found.frame, sound: found.sound, work: found.work) : .timedOut
    }
  }

  /// Handles the messages that were read, and returns whether no notification is to be delivered.
  private func isIdle() throws(ExtensionFailure) -> Bool {
    _ = threadCalls.beginReading()
    defer { threadCalls.endReading() }
    return try !handleLines() && queue.isEmpty
  }

  /// Sends a request and waits for its result.
  ///
  /// Notifications that arrive meanwhile are queued for ``next(_:sound:waking:until:)``.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - type: The type of the result.
  /// - Returns: The result.
  /// - Throws: ``CallFailure/refused(_:)`` for an error reply, otherwise ``CallFailure/connection(_:)``.
  package func call<Result: WireValue>(
    _ request: ExtensionRequest,
    _ type: Result.Type
  ) throws(CallFailure) -> Result {
    // A class, because the closure outlives this call if the connection fails.
    let answer = ReplyBox()
    do throws(ExtensionFailure) {
      try sendRequest(request) { answer.outcome = $0 }
      try receive { answer.outcome == nil }
    } catch {
      throw .connection(error)
    }
    guard let outcome = answer.outcome else { throw .connection(.hostClosed) }
    return try Self.result(of: request, outcome, type)
  }

  /// Receives messages while `isMissing` returns `true`.
  ///
  /// Notifications are queued for ``next(_:sound:waking:until:)``.
  package func receive(while isMissing: () -> Bool) throws(ExtensionFailure) {
    _ = threadCalls.beginReading()
    defer { threadCalls.endReading() }
    // Another thread may have read the messages.
    _ = try handleLines()
    while isMissing() {
      let hasLine = try pipes.hasLine()
      if !hasLine, try !pipes.receive() { throw .hostClosed }
      _ = try handleLines()
    }
  }

  /// Sends a request without waiting for the reply.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - completion: Receives the outcome during a later ``next(_:sound:waking:until:)`` or call, or `nil`
  ///     from ``abandonRequests()``.
  /// - Returns: The ID of the request.
  /// - Throws: ``ExtensionFailure`` if the message cannot be sent.
  @discardableResult
  package func sendRequest(
    _ request: ExtensionRequest,
    completion: @escaping (Reply.Outcome?) -> Void
  ) throws(ExtensionFailure) -> Int64 {
    let id = threadCalls.nextID()
    try pipes.send(.request(id: .integer(id), request))
    pending.append((id, completion))
    contextTracker.didSend(request, id)
    return id
  }

  /// Discards the reply to a request; the host may still send it.
  package func ignoreReply(to id: Int64) {
    if let index = pending.firstIndex(where: { $0.id == id }) { pending[index].completion = { _ in } }
  }

  /// Calls the completion handler of each unanswered request with `nil`.
  package func abandonRequests() {
    // In the order of the requests.
    let abandoned = pending
    pending = []
    for (_, completion) in abandoned { completion(nil) }
  }

  /// Decodes the result of a request.
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

  /// Sends a notification.
  package func notify(_ notification: ExtensionNotification) throws(ExtensionFailure) {
    try pipes.send(.notification(notification))
  }

  /// Handles each complete message that was read.
  ///
  /// - Returns: Whether one of them was the reply to a call of another thread.
  private func handleLines() throws(ExtensionFailure) -> Bool {
    var hasThreadReply = false
    while let message = try threadCalls.nextMessage() {
      if threadCalls.deliver(message) { hasThreadReply = true } else { try handle(message) }
    }
    return hasThreadReply
  }

  /// Handles a message for the main thread.
  private func handle(_ message: HostMessage) throws(ExtensionFailure) {
    switch message {
    case .notification(let notification):
      queue.append(notification)
    case .reply(let reply):
      guard case .integer(let id)? = reply.id, let index = pending.firstIndex(where: { $0.id == id }) else {
        throw .violation(ProtocolViolation(id: reply.id, .unexpectedReply))
      }
      let completion = pending.remove(at: index).completion
      contextTracker.didReceiveReply(reply.outcome, id, pending: &queue)
      completion(reply.outcome)
    case .request:
      let expected = "session/start only once, as the first message"
      throw .violation(
        ProtocolViolation(method: HostMethod.sessionStart.rawValue, .outOfOrder(expected: expected))
      )
    case .unknownRequest(let id, let method):
      let text = "the extension has no method \"\(method)\" in protocol version 1"
      try pipes.send(.reply(Reply(id: id, error: .methodNotFound, text)))
    case .unknownNotification: break
    }
  }
}

/// The reply that a blocking call waits for.
private final class ReplyBox {
  /// The outcome of the request, or `nil` before the reply.
  var outcome: Reply.Outcome?
}

/// The reason why a request has no result.
package enum CallFailure: Error, Equatable {
  /// The host has replied with an error.
  case refused(ErrorObject)
  /// The connection has failed.
  case connection(ExtensionFailure)
}
