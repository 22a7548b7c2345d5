// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

extension BusService {
  /// Performs a method of the manager, an app or an extension.
  func performOperation(_ call: ResolvedCall) throws(BusFailure) {
    let operation = try HostOperation.operation(call.member, of: call.object, call.arguments)
    var owner = BusOwner.client(call.sender)
    if case .launches(_, .service) = operation.effect { owner = .service }
    try start(operation, call, owner)
  }

  /// Starts an operation as a client of the host interface. Its end answers the call.
  func start(_ operation: HostOperation, _ call: ResolvedCall, _ owner: BusOwner) throws(BusFailure) {
    let client = try client(of: owner)
    let id = try register(call, operation)
    let sequence = OperationSequence(object: call.object, order: operation.order)
    let previous = operation.order == .concurrent ? nil : sequences[sequence]?.task
    let (mailbox, method, parameters) = (mailbox, operation.method, operation.parameters)
    let task = Task {
      await previous?.value
      let result: Result<OperationResult, OperationError>
      do throws(OperationError) { result = .success(try await client.host.perform(method, parameters)) } catch
      {
        result = .failure(error)
      }
      mailbox.post(.finished(call: id, result))
      if case .success(let success) = result { success.begin?() }
    }
    if operation.order != .concurrent { sequences[sequence] = (id, task) }
  }

  /// Returns the client of an owner. Creates a client for a caller that has none.
  private func client(of owner: BusOwner) throws(BusFailure) -> ServedClient {
    if let client = clients[owner] {
      guard !client.isClosing else { throw Self.disconnected }
      return client
    }
    // The service itself is not counted.
    guard clients.count <= BusLimits.clients else {
      throw .limitsExceeded("the service has reached the maximum of \(BusLimits.clients) clients")
    }
    let mailbox = mailbox
    let client = ServedClient(
      operations.makeClient(.program, .own) { mailbox.post(.notification($0, $1)) }
    )
    clients[owner] = client
    return client
  }

  /// A client has disconnected, and its sessions are being dismissed.
  static let disconnected = BusFailure.own(
    "closed",
    "the client that launched the session has disconnected"
  )

  /// Answers a call after the end of its operation.
  func finish(_ id: UInt64, _ result: Result<OperationResult, OperationError>) {
    guard let call = calls[id], let operation = call.operation else { return }
    let sequence = OperationSequence(object: call.object, order: operation.order)
    if sequences[sequence]?.call == id { sequences[sequence] = nil }
    let reply: Result<[BusValue], BusFailure>
    switch result {
    case .success(let success):
      do throws(BusFailure) { reply = .success(try operation.reply(success)) } catch {
        reply = .failure(error)
      }
    case .failure(let error): reply = .failure(BusFailure(error))
    }
    switch operation.effect {
    case .none: answer(id, reply)
    case .changesApps: refreshApps(then: .reply(call: id, reply))
    case .launches(let target, let lifetime):
      let owner: BusOwner = lifetime == .service ? .service : .client(call.sender)
      let session = (try? result.get())?.value["session"]?.string
      if let session { addSession(session, target: target, owner, launcher: call.sender) }
      answer(id, reply)
    }
  }
}

// MARK: - Ends of clients

extension BusService {
  /// Dismisses the sessions of a client, if it exists.
  func closeClient(_ owner: BusOwner) {
    guard let client = clients[owner], !client.isClosing else { return }
    clients[owner]?.isClosing = true
    let mailbox = mailbox
    Task {
      await client.host.close()
      mailbox.post(.closed(owner))
    }
  }

  /// Removes a client after the migration of its sessions.
  func clientClosed(_ owner: BusOwner) {
    clients[owner] = nil
    continueClosing()
  }

  /// Dismisses all sessions, and ends the service afterwards.
  func close(reason: String?) {
    switch phase {
    case .loading, .running: break
    case .closing, .finished: return
    }
    phase = .closing(reason: reason)
    // The service keeps its name until its end: clients select its last signals by the name.
    stopFollowing()
    for message in earlyCalls { rejectEarly(message) }
    earlyCalls = []
    for owner in clients.keys { closeClient(owner) }
    continueClosing()
  }

  /// Continues to close the service after a client or a session has ended.
  func continueClosing() {
    guard case .closing = phase, clients.isEmpty else { return }
    // Without a connection, no client receives the results of the last sessions.
    if bus == nil || tree.sessions.isEmpty { return finishClosing() }
    mailbox.post(.resultsOverdue, after: Self.eventTimeout)
  }

  /// Ends the service.
  func finishClosing() {
    guard case .closing(let reason) = phase else { return }
    for id in calls.keys.sorted() { answer(id, .failure(.stopping)) }
    try? bus?.flush()
    bus = nil
    phase = .finished(reason: reason)
  }

  private func rejectEarly(_ message: ReceivedMessage) { try? bus?.reply(to: message, .stopping) }
}
