// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import HostInterface
internal import JSONText
internal import LinuxPrimitives

/// The D-Bus service: its objects, its clients and their calls.
///
/// All functions run on the thread of the bus. Tasks perform the operations of the host interface, and post
/// their results to the mailbox.
final class BusService {
  /// A phase of the service.
  enum Phase: Equatable {
    /// The initial state is being read. Calls wait.
    case loading
    /// Calls are performed.
    case running
    /// The sessions are being dismissed. New calls fail. The reason is `nil` if the program stops the
    /// service.
    case closing(reason: String?)
    /// The service has ended.
    case finished(reason: String?)
  }

  /// The time in which the last event follows the result of a session.
  static let eventTimeout = Duration.seconds(2)
  /// The time after which the service tries to watch an app again.
  static let watchInterval = Duration.seconds(30)

  let operations: HostOperations
  let mailbox: BusMailbox
  /// The bus name of the service.
  let name: String
  /// The attributes of the service. Callers that are confined in another way are refused.
  let attributes = ProcessAttributes.of(CurrentProcess.processID)
  /// The connection, or `nil` after it was lost.
  var bus: BusConnection?
  var phase = Phase.loading
  var policies: [String] = []
  /// The lock state that the service has reported last.
  var lockState: String
  var tree = ObjectTree()
  /// The results of ended sessions by their IDs, and the IDs from the oldest to the newest.
  var results: (byID: [String: JSONValue], order: [String]) = ([:], [])
  var callers: [String: BusCaller] = [:]
  var clients: [BusOwner: ServedClient] = [:]
  var calls: [UInt64: PendingCall] = [:]
  var lastCall: UInt64 = 0
  /// The last operation in each order on each object.
  var sequences: [OperationSequence: (call: UInt64, task: Task<Void, Never>)] = [:]
  /// The calls that arrived before the initial state was read.
  var earlyCalls: [ReceivedMessage] = []
  var refresh = AppRefresh()
  var watches = ContentWatches()
  /// The tasks that follow changes of the host.
  private var followers: [Task<Void, Never>] = []

  /// Operations that start in the order of their calls.
  struct OperationSequence: Hashable {
    /// The object of the operations.
    let object: BusObject
    /// The order of the operations.
    let order: HostOperation.Order
  }

  /// Creates a service on a connection, and starts to read the initial state.
  init(_ operations: HostOperations, _ bus: BusConnection, _ mailbox: BusMailbox, name: String) {
    (self.operations, self.bus, self.mailbox, self.name) = (operations, bus, mailbox, name)
    lockState = operations.lockState.rawValue
  }

  /// Starts to read the initial state and to follow changes of the host.
  func start() {
    let mailbox = mailbox
    let (lockStates, apps) = (operations.lockStateChanges(), operations.appsChanged())
    let sessions = operations.sharedSessions()
    followers = [
      Task { for await state in lockStates { mailbox.post(.lockStateChanged(state.rawValue)) } },
      Task { for await _ in apps { mailbox.post(.appsChanged) } },
      Task { for await session in sessions { mailbox.post(.launched(session)) } },
    ]
    let host = operations.makeClient(.service, .own) { mailbox.post(.notification($0, $1)) }
    clients[.service] = ServedClient(host)
    Task { mailbox.post(.loaded(await InitialState.read(host))) }
  }

  /// Handles an event of another thread.
  func handle(_ event: BusEvent) {
    switch event {
    case .loaded(let result): begin(result)
    case .finished(let call, let result): finish(call, result)
    case .notification(let method, let parameters): notified(method, parameters)
    case .launched(let session): addSharedSession(session)
    case .result(let session, let result): receiveResult(result, of: session)
    case .lastEventOverdue(let session): endSession(session)
    case .apps(let result): receiveApps(result)
    case .appsChanged: if phase == .running { refreshApps() }
    case .watched(let app, let subscription): watchStarted(app, subscription)
    case .lockStateChanged(let state): reportLockState(state)
    case .closed(let owner): clientClosed(owner)
    case .stop: close(reason: nil)
    case .resultsOverdue: finishClosing()
    }
  }

  /// Handles a notification of the host interface.
  private func notified(_ method: String, _ parameters: JSONValue) {
    switch method {
    case "session/event":
      guard let session = parameters["session"]?.string, let event = parameters["event"] else { return }
      receiveEvent(event, of: session)
    case "content/changed": contentChanged(parameters)
    case "content/ended": watchEnded(parameters)
    default: break
    }
  }

  /// Starts to perform calls with the initial state.
  private func begin(_ result: Result<InitialState, OperationError>) {
    guard phase == .loading else { return }
    let state: InitialState
    switch result {
    case .success(let read): state = read
    case .failure(let error): return close(reason: error.message)
    }
    policies = state.policies
    phase = .running
    updateApps(state.apps)
    let messages = earlyCalls
    earlyCalls = []
    for message in messages { receive(message) }
  }

  /// Reports a change of the lock state.
  private func reportLockState(_ state: String) {
    guard state != lockState else { return }
    lockState = state
    reportProperties([("LockState", .string(state))], of: .manager)
  }

  /// Stops to follow changes of the host.
  func stopFollowing() {
    for task in followers { task.cancel() }
    followers = []
  }
}

extension InitialState {
  /// Reads the state of the host.
  static func read(_ host: HostClient) async -> Result<InitialState, OperationError> {
    do throws(OperationError) {
      let policies = try await host.perform("policy/list", [:]).value["policies"]?.elements ?? []
      let apps = try await host.perform("apps/list", [:]).value["apps"]?.elements ?? []
      return .success(
        InitialState(
          policies: policies.compactMap(\.string),
          apps: apps
        )
      )
    } catch { return .failure(error) }
  }
}
