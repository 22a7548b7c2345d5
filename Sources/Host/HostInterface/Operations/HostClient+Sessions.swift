// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
package import JSONText
internal import Synchronization

extension HostClient {
  /// Performs an operation on sessions.
  func performOnSession(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(OperationError) -> OperationResult {
    switch method {
    case .sessionLaunch:
      let target = parameters.text("extension")
      let options = LaunchOptions(parameters.object("options"))
      let host = operations.host
      return try await launch(target) { () throws(HostError) in try await host.launch(target, options) }
    case .sessionLaunchProgram:
      let options = ProgramLaunchOptions(parameters)
      let host = operations.host
      return try await launch(options.program) { () throws(HostError) in try await host.launch(options) }
    case .sessionList:
      let sessions = operations.sessions.withLock { $0.sorted { $0.key < $1.key } }
      return OperationResult([
        "sessions": .array(
          sessions.map { ["session": .string($0.key), "target": .string($0.value.target)] }
        )
      ])
    case .sessionResult:
      return OperationResult(try await result(of: try session(parameters)))
    default:
      try apply(method, parameters, to: try session(parameters))
      return .none
    }
  }

  /// Waits for the end of a session, and returns its result. The last event of a session that this client has
  /// launched precedes the result.
  private func result(of session: HostedSession) async throws(OperationError) -> JSONValue {
    let outcome = await session.outcome
    await state.withLock { $0.reports[session.id] }?.value
    do throws(HostError) { return try outcome.get().json } catch { throw OperationError(error) }
  }

  /// Applies an input of the user to a session. Throws an error if the session has too many inputs that it has not
  /// handled.
  private func apply(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters,
    to session: HostedSession
  ) throws(OperationError) {
    let isAdded: Bool
    switch method {
    case .sessionPress:
      let button: HostedSession.Button = parameters.text("button") == "secondary" ? .secondary : .primary
      isAdded =
        switch parameters["phase"]?.string {
        case "began": session.press(button)
        case "ended": session.release(button)
        case "cancelled": session.cancel(button)
        default: session.tap(button)
        }
    case .sessionPointer:
      let (x, y) = (parameters["x"]?.double ?? 0, parameters["y"]?.double ?? 0)
      let contact = Int(parameters["contact"]?.integer ?? 0)
      let phase = parameters["phase"]?.string.flatMap(HostedSession.PointerPhase.init(rawValue:))
      isAdded =
        phase.map { session.pointer($0, x: x, y: y, contact: contact) }
        ?? session.tap(x: x, y: y, contact: contact)
    case .sessionAdjust:
      isAdded = session.adjust(parameters.text("control"), try adjustment(parameters))
    case .sessionDismiss: return session.dismiss()
    default: return session.terminate()
    }
    guard isAdded else {
      throw .busy("the session '\(session.id)' has not handled earlier inputs; repeat this input later")
    }
  }

  private func adjustment(
    _ parameters: OperationParameters
  ) throws(OperationError) -> HostedSession.Adjustment {
    switch (parameters["value"]?.double, parameters["steps"]?.integer, parameters["title"]?.string) {
    case (let value?, nil, nil): return .value(value)
    case (nil, let steps?, nil): return .steps(Int(steps))
    case (nil, nil, let title?): return .title(title)
    default:
      throw .parameters(
        .init(path: "params", reason: "must have exactly one of 'value', 'steps' and 'title'")
      )
    }
  }

  /// Returns a running session of the host, or an ended one of this client.
  func session(_ parameters: OperationParameters) throws(OperationError) -> HostedSession {
    let id = parameters.text("session")
    let own = state.withLock { state in state.sessions.first { $0.id == id }?.session }
    if let found = own ?? operations.sessions.withLock({ $0[id]?.session }) { return found }
    throw .notFound("no session of this server has the ID '\(id)'; 'session/list' returns the running ones")
  }

  // MARK: - Launching

  private func launch(
    _ target: String,
    _ start: @Sendable () async throws(HostError) -> HostedSession
  ) async throws(OperationError) -> OperationResult {
    try reserveLaunch()
    let session: HostedSession
    do throws(HostError) { session = try await start() } catch {
      releaseLaunch()
      throw OperationError(error)
    }
    try await add(session, target)
    return OperationResult(["session": .string(session.id)]) { [self] in report(session) }
  }

  /// Counts a launch.
  ///
  /// - Throws: An error if the client has the maximum number of sessions.
  func reserveLaunch() throws(OperationError) {
    let isPermitted = state.withLock { state in
      let running = state.sessions.count - state.ended.count + state.launching
      guard !state.isClosed, running < limits.sessions else { return false }
      state.launching += 1
      return true
    }
    if isPermitted { return }
    throw .busy("this client has \(limits.sessions) running sessions; wait for the end of one")
  }

  /// Notes that a counted launch has not started a session.
  func releaseLaunch() { state.withLock { $0.launching -= 1 } }

  /// Adds the session of a counted launch. `target` is the ID of the extension, or the name of the program.
  ///
  /// - Throws: An error if the client was closed during the launch. The session has ended.
  func add(_ session: HostedSession, _ target: String) async throws(OperationError) {
    operations.add(.init(session: session, target: target, visibility: visibility))
    let isClosed = state.withLock { state in
      state.launching -= 1
      if !state.isClosed { state.sessions.append((session.id, session)) }
      return state.isClosed
    }
    guard isClosed else { return }
    await session.stop()
    noteEnd(of: session.id)
    throw OperationError(.closed)
  }

  /// Reports the events of a session. The task keeps the client until the session has ended.
  func report(_ session: HostedSession) {
    let task = Task { [self] in
      for await event in session.events {
        if case .ended = event { noteEnd(of: session.id) }
        notify("session/event", ["session": .string(session.id), "event": event.json])
      }
      noteEnd(of: session.id)
    }
    state.withLock { if !$0.isClosed { $0.reports[session.id] = task } }
  }

  /// Reports the events of a session that another client has launched, from its first event, and returns its
  /// result after the last event.
  ///
  /// - Throws: An error if the result is unavailable.
  package func follow(_ running: HostOperations.RunningSession) async throws(OperationError) -> JSONValue {
    for await event in running.session.events {
      notify("session/event", ["session": .string(running.id), "event": event.json])
    }
    return try await result(of: running.session)
  }
}
