// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import ExtensionProtocol
internal import Synchronization

/// The calls to the host from any thread, which do not require the main thread.
///
/// One thread at a time reads from the host. While the main thread waits for events or for a reply, it reads,
/// and delivers the replies to the calls of other threads. While the main thread runs other code, for example
/// `DispatchQueue.sync`, or its run loop, a calling thread reads. It defers all other messages to the main
/// thread.
final class ThreadCalls: Sendable {
  private let pipes: MessagePipes
  private let state = Mutex(ThreadCallState())

  /// Creates the calls over a pair of pipes.
  init(_ pipes: MessagePipes) { self.pipes = pipes }

  /// Returns the ID for a request.
  func nextID() -> Int64 {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  // MARK: The reading thread

  /// Gives the main thread, which must be the caller, the right to read from the host.
  ///
  /// - Returns: Whether the main thread had to wait for another one, whose reply may have changed the session.
  func beginReading() -> Bool {
    if state.withLock({ $0.beginReadingOnMainThread() }) { return false }
    wait { $0.beginReadingOnMainThread() ? true : nil }
    return true
  }

  /// Ends the right to read from the host.
  func endReading() { state.withLock { $0.endReading() } }

  /// Returns the next message for the main thread, which must have the right to read, or `nil` if no complete
  /// message is available.
  func nextMessage() throws(ExtensionFailure) -> HostMessage? {
    let (failure, deferred) = state.withLock { state in
      (state.failure, state.deferred.isEmpty ? nil : state.deferred.removeFirst())
    }
    if let deferred { return deferred }
    if let failure { throw failure }
    return try pipes.nextMessage()
  }

  /// Delivers a message if it is the reply to a call.
  ///
  /// - Returns: Whether the message is such a reply.
  func deliver(_ message: HostMessage) -> Bool {
    guard case .reply(let reply) = message, case .integer(let id)? = reply.id else { return false }
    return state.withLock { state in
      guard let call = state.calls[id], call.outcome == nil else { return false }
      call.effect(reply.outcome)
      state.calls[id]?.outcome = reply.outcome
      state.wake()
      return true
    }
  }

  // MARK: Calls

  /// Sends a request and blocks the calling thread until the reply arrives.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - type: The type of the result.
  ///   - effect: Runs once with the reply before the main thread continues, on the thread that reads the
  ///     reply. It must not call this object.
  /// - Returns: The result.
  /// - Throws: ``CallFailure/refused(_:)`` for an error reply, otherwise ``CallFailure/connection(_:)``.
  func call<Result: WireValue>(
    _ request: ExtensionRequest,
    _ type: Result.Type,
    effect: @escaping @Sendable (Reply.Outcome) -> Void
  ) throws(CallFailure) -> Result {
    let id = nextID()
    state.withLock { $0.calls[id] = ThreadCallState.Call(effect: effect) }
    defer { state.withLock { $0.calls[id] = nil } }
    let outcome: Reply.Outcome
    do throws(ExtensionFailure) {
      try pipes.send(.request(id: .integer(id), request))
      outcome = try reply(to: id)
    } catch { throw .connection(error) }
    return try ExtensionConnection.result(of: request, outcome, type)
  }

  /// Ends all calls, because the session has ended.
  func close() { fail(.hostClosed) }

  /// Reads, or waits for the thread that reads, until a request has a reply.
  private func reply(to id: Int64) throws(ExtensionFailure) -> Reply.Outcome {
    while true {
      let turn = wait { state -> Turn? in
        if let outcome = state.calls[id]?.outcome { return .answered(outcome) }
        if let failure = state.failure { return .failed(failure) }
        guard state.reader == .none else { return nil }
        state.reader = .caller
        return .reads
      }
      switch turn {
      case .answered(let outcome): return outcome
      case .failed(let failure): throw failure
      case .reads: try read()
      }
    }
  }

  /// What a calling thread does next.
  private enum Turn {
    /// Returns the reply.
    case answered(Reply.Outcome)
    /// Throws the failure.
    case failed(ExtensionFailure)
    /// Reads from the host.
    case reads
  }

  /// Reads once from the host, defers the messages for the main thread, and ends the right to read.
  private func read() throws(ExtensionFailure) {
    defer {
      endReading()
      // The main thread may wait in its run loop for what this thread has read.
      DispatchQueue.main.async {}
    }
    do throws(ExtensionFailure) {
      if try !pipes.hasLine(), try !pipes.receive() { throw .hostClosed }
      while let message = try pipes.nextMessage() {
        if !deliver(message) { state.withLock { $0.deferred.append(message) } }
      }
    } catch {
      // The main thread finds the end of the input itself, after the messages before it.
      if error != .hostClosed { fail(error) }
      throw error
    }
  }

  /// Ends all calls with a failure.
  private func fail(_ failure: ExtensionFailure) {
    state.withLock { state in
      state.failure = state.failure ?? failure
      state.wake()
    }
  }

  /// Blocks until `condition` returns a value; it is evaluated again after each change of the state.
  @discardableResult
  private func wait<Value: Sendable>(_ condition: (inout ThreadCallState) -> Value?) -> Value {
    let change = DispatchSemaphore(value: 0)
    while true {
      let value = state.withLock { state -> Value? in
        let value = condition(&state)
        if value == nil { state.waiting.append(change) }
        return value
      }
      if let value { return value }
      change.wait()
    }
  }
}
