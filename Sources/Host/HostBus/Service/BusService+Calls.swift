// SPDX-License-Identifier: Apache-2.0

internal import HostService
internal import LinuxPrimitives

// MARK: - Receiving

extension BusService {
  /// Receives the pending messages of the bus. Closes the service if the connection is lost.
  func receiveMessages() {
    do throws(SystemCallError) {
      // The number is limited, so that a flood of messages does not delay the events of other threads. The
      // deadline of the connection has passed while sd-bus has further messages.
      for _ in 0..<256 {
        guard let bus else { return }
        switch try bus.next() {
        case .message(let message): receive(message)
        case .progress: continue
        case .idle: return
        }
      }
    } catch {
      bus = nil
      close(reason: "the message bus has closed the connection: \(error)")
    }
  }

  /// Handles a message of the bus.
  func receive(_ message: ReceivedMessage) {
    switch message.kind {
    case .call: receiveCall(message)
    case .signal: receiveSignal(message)
    case .other: break
    }
  }

  private func receiveSignal(_ message: ReceivedMessage) {
    guard message.sender == "org.freedesktop.DBus", message.member == "NameOwnerChanged",
      let arguments = try? message.arguments(), arguments.count == 3,
      let name = arguments[0].text, arguments[2].text == ""
    else { return }
    callers[name] = nil
    closeClient(.client(name))
  }

  private func receiveCall(_ message: ReceivedMessage) {
    guard let sender = message.sender else { return }
    do throws(BusFailure) {
      switch phase {
      case .loading:
        guard earlyCalls.count < BusLimits.earlyCalls else { throw .limitsExceeded("too many calls") }
        earlyCalls.append(message)
        return
      case .running: break
      case .closing, .finished: throw .stopping
      }
      try admit(sender)
      try perform(message, sender, isRepeated: false)
    } catch { reply(to: message, error) }
  }

  /// Performs a call of a permitted caller. The list of apps is read again if the call names an unknown app:
  /// another program may have installed the app.
  func perform(_ message: ReceivedMessage, _ sender: String, isRepeated: Bool) throws(BusFailure) {
    let path = message.path ?? ""
    if !isRepeated, let object = BusObject(path: path), !tree.contains(object) {
      switch object {
      case .app, .captureExtension: return try refreshApps(thenRepeat: message, sender)
      case .manager, .session: break
      }
    }
    try dispatch(try resolve(message, sender, path))
  }
}

// MARK: - Checks

extension BusService {
  /// Checks that a caller has the UID and the restrictions of this process. The bus is queried once for each
  /// connection.
  private func admit(_ sender: String) throws(BusFailure) {
    if callers[sender] == nil {
      guard callers.count < BusLimits.callers else {
        throw .limitsExceeded("the service has reached the maximum of \(BusLimits.callers) callers")
      }
      guard let peer = bus?.peer(of: sender) else { throw .accessDenied("the caller has disconnected") }
      callers[sender] = BusCaller(refusal: refusal(of: peer))
    }
    if let refusal = callers[sender]?.refusal { throw .accessDenied(refusal) }
  }

  /// Returns the reason why the calls of a process are refused, or `nil` if they are permitted.
  private func refusal(of peer: BusConnection.Peer) -> String? {
    guard peer.user == CurrentProcess.effectiveUserID else {
      return "only processes of the user with UID \(CurrentProcess.effectiveUserID) may call this service"
    }
    return ClientComparison.refusal(by: attributes, of: peer.process) {
      process throws(SystemCallError) in try ProcessHandle.open(process)
    }
  }

  /// Finds the method of a call, and checks and reads the arguments.
  private func resolve(
    _ message: ReceivedMessage,
    _ sender: String,
    _ path: String
  ) throws(BusFailure) -> ResolvedCall {
    let member = message.member ?? ""
    guard let interfaces = interfaces(at: path, member) else { throw .unknownObject(path) }
    var candidates = interfaces
    if let name = message.interface {
      candidates = interfaces.filter { $0.rawValue == name }
      if candidates.isEmpty { throw .unknownInterface(name, path) }
    }
    guard let interface = candidates.first(where: { $0.description.methods[member] != nil }),
      let method = interface.description.methods[member]
    else { throw .standard("UnknownMethod", "\(path): the method '\(member)' does not exist") }
    guard message.signature == method.input else {
      throw .invalidArguments(
        "\(member) expects arguments of the types '\(method.input)', not '\(message.signature)'"
      )
    }
    return ResolvedCall(
      message: message,
      sender: sender,
      path: path,
      object: BusObject(path: path) ?? .manager,
      interface: interface,
      member: member,
      output: method.output,
      arguments: BusArguments(try message.arguments())
    )
  }

  /// Returns the interfaces at a path, or `nil` if there is none. The results of ended sessions remain
  /// available.
  private func interfaces(at path: String, _ member: String) -> [BusInterface]? {
    if let interfaces = tree.interfaces(at: path) { return interfaces }
    guard member == "GetResult", case .session(let id)? = BusObject(path: path), results.byID[id] != nil
    else {
      return nil
    }
    return [.session]
  }

  /// Answers a call, or starts its operation.
  private func dispatch(_ call: ResolvedCall) throws(BusFailure) {
    switch call.interface {
    case .introspectable:
      let interfaces = tree.interfaces(at: call.path) ?? []
      let document = Introspection.document(interfaces, children: tree.children(of: call.path) ?? [])
      answer(call, [.string(document)])
    case .properties: try performProperties(call)
    case .objectManager: refreshApps(then: .managedObjects(call: try register(call)))
    case .peer: throw .standard("UnknownMethod", "sd-bus implements this interface")
    case .manager, .app, .captureExtension: try performOperation(call)
    case .session: try performSession(call)
    }
  }
}

// MARK: - Replies

extension BusService {
  /// Registers a call that is answered later, and returns its number.
  func register(_ call: ResolvedCall, _ operation: HostOperation? = nil) throws(BusFailure) -> UInt64 {
    try countCall(of: call.sender)
    lastCall += 1
    calls[lastCall] = PendingCall(
      message: call.message,
      sender: call.sender,
      object: call.object,
      output: call.output,
      operation: operation
    )
    return lastCall
  }

  /// Adds a pending call of a caller.
  func countCall(of sender: String) throws(BusFailure) {
    guard callers[sender]?.pendingCalls ?? 0 < BusLimits.callsOfClient else {
      throw .limitsExceeded("the client has \(BusLimits.callsOfClient) calls that are not answered yet")
    }
    callers[sender]?.pendingCalls += 1
  }

  /// Answers a registered call, unless it was answered before.
  func answer(_ id: UInt64, _ result: Result<[BusValue], BusFailure>) {
    guard let call = calls.removeValue(forKey: id) else { return }
    callers[call.sender]?.pendingCalls -= 1
    switch result {
    case .success(let values): reply(to: call.message, values, call.output)
    case .failure(let failure): reply(to: call.message, failure)
    }
  }

  /// Answers a call at once.
  func answer(_ call: ResolvedCall, _ values: [BusValue]) { reply(to: call.message, values, call.output) }

  private func reply(to message: ReceivedMessage, _ values: [BusValue], _ output: String) {
    guard values.size <= BusLimits.replyBytes else {
      return reply(to: message, .limitsExceeded("the reply is larger than \(BusLimits.replyBytes) bytes"))
    }
    guard values.signature == output else {
      return reply(to: message, .standard("Failed", "the reply has the types '\(values.signature)'"))
    }
    do throws(SystemCallError) { try bus?.reply(to: message, values) } catch {
      reply(to: message, .standard("Failed", "the reply could not be sent: \(error)"))
    }
  }

  private func reply(to message: ReceivedMessage, _ failure: BusFailure) {
    // A failure means that the connection is lost, which the next received message reports.
    try? bus?.reply(to: message, failure)
  }

  /// Sends a signal of an object.
  func emit(_ path: String, _ interface: BusInterface, _ member: String, _ arguments: [BusValue]) {
    // A failure means that the connection is lost, which the next received message reports.
    try? bus?.signal(path, interface.rawValue, member, arguments)
  }
}
