// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
package import JSONText
internal import Synchronization

/// A client of a host's operations. It owns the sessions and subscriptions that it starts.
package final class HostClient: Sendable {
  let operations: HostOperations
  let notify: @Sendable (String, JSONValue) -> Void
  let state = Mutex(State())

  let limits: Limits
  let visibility: Visibility

  /// Whether ``HostOperations/sharedSessions()`` reports the sessions of a client.
  package enum Visibility: Sendable, Hashable {
    /// The sessions are reported.
    case shared
    /// The sessions are not reported, because the program that uses the client knows them.
    case own
  }

  /// The limits of a client.
  package struct Limits: Sendable {
    /// The maximum number of running sessions.
    let sessions: Int
    /// The maximum number of subscriptions.
    let subscriptions: Int

    /// The limits of a program.
    package static let program = Limits(sessions: 64, subscriptions: 64)
    /// The limits of a service that represents several programs.
    package static let service = Limits(sessions: 1024, subscriptions: 4096)
  }

  /// The maximum number of ended sessions whose results a client can still request.
  private static let maximumEndedSessions = 256

  /// The sessions and subscriptions of a client.
  struct State: Sendable {
    /// The sessions that the client launched, in the order of their launch.
    var sessions: [(id: String, session: HostedSession)] = []
    /// The sessions that have ended.
    var ended: Set<String> = []
    /// The tasks that report the events of the sessions.
    var reports: [String: Task<Void, Never>] = [:]
    /// The sessions whose viewfinder the client has opened.
    var viewfinders: Set<String> = []
    /// The number of launches that have not finished.
    var launching = 0
    /// The tasks that report changes, by the number of the subscription.
    var subscriptions: [Int64: Task<Void, Never>] = [:]
    var lastSubscription: Int64 = 0
    /// The capture of frames that has not finished, or `nil` if there is none.
    var capture: Task<Result<CameraCapture, HostError>, Never>?
    var isClosed = false
  }

  /// Creates a client of operations.
  init(
    _ operations: HostOperations,
    _ limits: Limits,
    _ visibility: Visibility,
    notify: @escaping @Sendable (String, JSONValue) -> Void
  ) {
    (self.operations, self.limits, self.visibility, self.notify) = (operations, limits, visibility, notify)
  }

  /// Performs an operation.
  ///
  /// - Parameters:
  ///   - method: The name of a method in the description of the interface, other than `host/hello`.
  ///   - params: Its parameters, an object.
  /// - Returns: The result.
  /// - Throws: The reason why the method is unknown, its parameters are invalid, or it failed.
  package func perform(_ method: String, _ params: JSONValue) async throws(OperationError) -> OperationResult
  {
    guard let known = InterfaceMethod(rawValue: method) else { throw .unknownMethod(method) }
    try InterfaceDescription.current.check(method, params)
    let parameters = OperationParameters(params)
    switch known.area {
    case .apps:
      return try await mapped { () async throws(HostError) in try await performOnApps(known, parameters) }
    case .content:
      return try await mapped { () async throws(HostError) in try await performOnContent(known, parameters) }
    case .context:
      return try await mapped { () async throws(HostError) in try await performOnContext(known, parameters) }
    case .permissions:
      return try await mapped { () async throws(HostError) in
        try await performOnPermissions(known, parameters)
      }
    case .log:
      return try await mapped { () async throws(HostError) in try await performOnLog(known, parameters) }
    case .storage:
      return try await mapped { () async throws(HostError) in try await performOnStorage(known, parameters) }
    case .photos:
      return try await mapped { () async throws(HostError) in try await performOnPhotos(known, parameters) }
    case .assets:
      return try await mapped { () async throws(HostError) in try await performOnAssets(known, parameters) }
    case .device: return try await performOnDevices(known, parameters)
    case .passcode:
      return try await mapped { () async throws(HostError) in try await performOnPasscode(known, parameters) }
    case .control: return try await performOnControl(known, parameters)
    case .session: return try await performOnSession(known, parameters)
    case .viewfinder: return try await performOnViewfinder(known, parameters)
    case .sound: return try await performOnSound(known, parameters)
    case .lock:
      return try await mapped { () async throws(HostError) in try await performOnLock(known, parameters) }
    case .policy: return try await performOnPolicy(known, parameters)
    case .host, .rpc: return try await performOnHost(known, parameters)
    }
  }

  /// Performs an operation, and converts its error.
  private func mapped(
    _ body: () async throws(HostError) -> OperationResult
  ) async throws(OperationError) -> OperationResult {
    do { return try await body() } catch { throw OperationError(error) }
  }

  /// Ends all subscriptions, cancels a capture of frames, dismisses all sessions of the client, and waits for
  /// their migration.
  package func close() async {
    let (sessions, subscriptions, capture) = state.withLock { state in
      defer { (state.sessions, state.subscriptions, state.isClosed) = ([], [:], true) }
      return (state.sessions.map(\.session), Array(state.subscriptions.values), state.capture)
    }
    for subscription in subscriptions { subscription.cancel() }
    capture?.cancel()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = await capture?.value }
      for session in sessions { group.addTask { await session.stop() } }
    }
  }

  /// Returns an installed app.
  func app(_ parameters: OperationParameters) async throws(HostError) -> HostedApp {
    try await operations.host.apps.find(parameters.text("app"))
  }

  /// Notes that a session of this client has ended. The results of the newest sessions stay available.
  func noteEnd(of session: String) {
    operations.sessions.withLock { $0[session] = nil }
    state.withLock { state in
      guard !state.isClosed else { return }
      state.ended.insert(session)
      while state.ended.count > Self.maximumEndedSessions,
        let index = state.sessions.firstIndex(where: { state.ended.contains($0.id) })
      {
        let oldest = state.sessions.remove(at: index).id
        state.ended.remove(oldest)
        state.viewfinders.remove(oldest)
        state.reports[oldest] = nil
      }
    }
  }
}

/// The parameters of an operation, which match the description of the interface.
struct OperationParameters: Sendable {
  private let value: JSONValue

  /// Creates parameters from a checked object.
  init(_ value: JSONValue) { self.value = value }

  /// Returns a parameter, or `nil` if it is absent.
  subscript(name: String) -> JSONValue? { value[name] }
  /// Returns a required string.
  func text(_ name: String) -> String { value[name]?.string ?? "" }
  /// Returns an integer, or `nil` if it is absent.
  func integer(_ name: String) -> Int64? { value[name]?.integer }
  /// Returns an array of strings, which is empty if the parameter is absent.
  func texts(_ name: String) -> [String] { (value[name]?.elements ?? []).compactMap(\.string) }
  /// Returns a duration in seconds, or `nil` if it is absent.
  func duration(_ name: String) -> Duration? { value[name]?.double.map { .seconds($0) } }
  /// Returns the members of an object parameter, or no parameters if it is absent.
  func object(_ name: String) -> OperationParameters { OperationParameters(value[name] ?? .null) }
}
