// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

// MARK: - Calls

extension BusService {
  /// Performs a method of a session. Every permitted client may call most methods: a lock screen dismisses
  /// sessions that another program has launched.
  func performSession(_ call: ResolvedCall) throws(BusFailure) {
    guard case .session(let id) = call.object else { throw .unknownObject(call.path) }
    guard let session = tree.sessions[id] else {
      guard let result = results.byID[id] else { throw .unknownObject(call.path) }
      return answer(call, [BusValue(object: result)])
    }
    if call.member == "GetResult" {
      tree.sessions[id]?.waitingCalls.append(try register(call))
      return
    }
    guard call.sender == session.launcher || !HostOperation.launcherMethods.contains(call.member) else {
      throw .accessDenied("only the client that launched the session may call \(call.member)")
    }
    // The client may have disconnected while the result of its session is on the way.
    guard clients[session.owner] != nil else { throw Self.disconnected }
    let operation = try HostOperation.operation(call.member, of: call.object, call.arguments)
    try start(operation, call, session.owner)
  }
}

// MARK: - Start and events

extension BusService {
  /// Adds a session that a D-Bus client has launched, and waits for its result.
  func addSession(_ id: String, target: String, _ owner: BusOwner, launcher: String) {
    add(SessionObject(id, target: target, owner: owner, launcher: launcher)) {
      host throws(OperationError) in
      try await host.perform("session/result", ["session": .string(id)]).value
    }
  }

  /// Adds a session that a client of another transport has launched, and follows its events.
  func addSharedSession(_ session: HostOperations.RunningSession) {
    guard phase == .loading || phase == .running else { return }
    add(SessionObject(session.id, target: session.target, owner: .service, launcher: nil)) {
      host throws(OperationError) in try await host.follow(session)
    }
  }

  /// Adds a session, and waits for its result as a client of the host interface.
  private func add(
    _ session: SessionObject,
    result: @escaping @Sendable (HostClient) async throws(OperationError) -> JSONValue
  ) {
    let id = session.id
    guard tree.sessions[id] == nil, let client = clients[session.owner] else { return }
    tree.sessions[id] = session
    reportAdded(.session(id))
    let mailbox = mailbox
    Task {
      let ended: Result<JSONValue, OperationError>
      do throws(OperationError) { ended = .success(try await result(client.host)) } catch {
        ended = .failure(error)
      }
      mailbox.post(.result(session: id, ended))
    }
  }

  /// Reports an event of a session to all clients.
  func receiveEvent(_ event: JSONValue, of id: String) {
    guard tree.sessions[id] != nil else { return }
    let changes = tree.sessions[id]?.apply(event) ?? []
    reportProperties(changes, of: .session(id))
    let details = BusValue(object: event, without: ["kind"])
    let kind = BusValue.string(event["kind"]?.string ?? "")
    emit(BusObject.session(id).path, .session, "Event", [kind, details])
    endSessionIfComplete(id)
  }
}

// MARK: - End

extension BusService {
  /// Ends a session whose content is migrated, after its last event.
  func receiveResult(_ result: Result<JSONValue, OperationError>, of id: String) {
    guard tree.sessions[id] != nil else { return }
    tree.sessions[id]?.result = result
    endSessionIfComplete(id)
    // Another thread reports the events. Without the last event, the object would remain.
    if tree.sessions[id] != nil { mailbox.post(.lastEventOverdue(session: id), after: Self.eventTimeout) }
  }

  private func endSessionIfComplete(_ id: String) {
    guard let session = tree.sessions[id], session.hasEnded, session.result != nil else { return }
    endSession(id)
  }

  /// Reports the result of a session, answers the calls that wait for it, and removes the object.
  func endSession(_ id: String) {
    guard let result = tree.sessions[id]?.result else { return }
    let changes = tree.sessions[id]?.end() ?? []
    reportProperties(changes, of: .session(id))
    let calls = tree.sessions[id]?.waitingCalls ?? []
    let (path, reply) = (BusObject.session(id).path, Self.reply(result))
    emit(path, .session, "Ended", [Self.signalResult(result, of: id)])
    for call in calls { answer(call, reply) }
    tree.sessions[id] = nil
    if case .success(let value) = result { keepResult(value, of: id) }
    reportRemoved(.session(id))
    continueClosing()
  }

  private static func reply(_ result: Result<JSONValue, OperationError>) -> Result<[BusValue], BusFailure> {
    switch result {
    case .success(let value): .success([BusValue(object: value)])
    case .failure(let error): .failure(BusFailure(error))
    }
  }

  /// Returns a result as the argument of a signal. Lists of a large result are left out.
  private static func signalResult(_ result: Result<JSONValue, OperationError>, of id: String) -> BusValue {
    switch result {
    case .success(let value):
      let dictionary = BusValue(object: value)
      guard dictionary.size > BusLimits.signalBytes else { return dictionary }
      return BusValue(object: value, without: BusValue.objectLists.union(["output", "notices"]))
    case .failure(let error):
      return .dictionary([("session", .string(id)), ("message", .string(error.message))])
    }
  }

  /// Keeps a result for clients that request it after the end of the session.
  private func keepResult(_ result: JSONValue, of id: String) {
    guard BusValue(object: result).size <= BusLimits.signalBytes else { return }
    results.byID[id] = result
    results.order.append(id)
    if results.order.count > BusLimits.results { results.byID[results.order.removeFirst()] = nil }
  }
}
