// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText
internal import Synchronization

extension HostClient {
  /// Performs an operation on the installed apps.
  func performOnApps(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(HostError) -> OperationResult {
    let apps = operations.host.apps
    switch method {
    case .appsList:
      let listing = try await apps.list()
      return OperationResult([
        "apps": .array(listing.apps.map(\.json)),
        "failures": .array(listing.failures.map { .string($0.description) }),
      ])
    case .appsFind: return OperationResult(try await app(parameters).json)
    case .appsValidate:
      let found = try await apps.validate(bundleAt: parameters.text("bundle"))
      let ordered = found.filter { $0.severity == .error } + found.filter { $0.severity != .error }
      return OperationResult(["diagnostics": .array(ordered.map(\.json))])
    case .appsInstall:
      let installation = try await apps.install(bundleAt: try path("bundle", parameters))
      operations.noteAppChange()
      return OperationResult([
        "app": installation.app.json, "replaced": .bool(installation.isReplacement),
        "warnings": .array(installation.warnings.map(\.json)),
      ])
    case .appsOpen:
      let delivery = try await app(parameters).open(with: parameters["activity"]?.string)
      return OperationResult(["delivery": .string(delivery)])
    default:
      let discards = parameters["pendingContent"]?.string == "discard"
      try await apps.uninstall(parameters.text("app"), pendingContent: discards ? .discard : .keep)
      operations.noteAppChange()
      return .none
    }
  }

  /// Performs an operation on the captured content of an app.
  func performOnContent(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(HostError) -> OperationResult {
    if method == .contentUnwatch { return unwatch(parameters) }
    let content = try await operations.host.apps.content(of: parameters.text("app"))
    let session = parameters.text("session")
    switch method {
    case .contentList:
      return OperationResult(["deliveries": .array(try await content.list().map(\.json))])
    case .contentExport:
      let path = try await content.export(session, to: try path("directory", parameters))
      return OperationResult(["path": .string(path)])
    case .contentInvalidate:
      try await content.invalidate(session)
      return .none
    case .contentQuarantine:
      return OperationResult(["quarantined": .array(try await content.quarantine().map(\.json))])
    default: return try watch(content, consumer: parameters["consumer"]?.string)
    }
  }

  /// Performs an operation on the app context.
  func performOnContext(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(HostError) -> OperationResult {
    let context = try await app(parameters).context
    switch method {
    case .contextGet:
      return OperationResult(.object(["context": try await context.get().map(JSONValue.string)]))
    case .contextSet: try await context.set(parameters.text("context"))
    default: try await context.clear()
    }
    return .none
  }

  /// Performs an operation on the user's decisions about an app.
  func performOnPermissions(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(HostError) -> OperationResult {
    let permissions = try await app(parameters).permissions
    let resource = parameters["resource"]?.string.flatMap(AppPermissionSettings.Resource.init)
    switch method {
    case .permissionsGet:
      let decisions = try await permissions.get()
      let listed = AppPermissionSettings.Resource.allCases.compactMap { resource in
        decisions[resource].map { decision -> JSONValue in
          ["resource": .string(resource.rawValue), "decision": decision.json]
        }
      }
      return OperationResult(["permissions": .array(listed)])
    case .permissionsSet:
      guard let resource else { break }
      try await permissions.set(resource, to: try decision(parameters.object("decision")))
    default:
      if let resource { try await permissions.reset(resource) } else { try await permissions.resetAll() }
    }
    return .none
  }

  private func decision(
    _ parameters: OperationParameters
  ) throws(HostError) -> AppPermissionSettings.Decision {
    let names = Set(parameters.texts("names"))
    switch parameters.text("decision") {
    case "authorized": return .authorized
    case "denied": return .denied
    case "ask": return .ask
    case "assets": return .assets(names)
    default: return .devices(names)
    }
  }

  /// Returns a path parameter. The server has another current directory than its clients, so a relative path
  /// would be ambiguous.
  func path(_ name: String, _ parameters: OperationParameters) throws(HostError) -> String {
    try absolute(parameters.text(name), name)
  }

  /// Returns the path of a parameter if it is absolute.
  func absolute(_ path: String, _ name: String) throws(HostError) -> String {
    if path.hasPrefix("/") { return path }
    throw HostError(
      argument: "params.\(name) must be an absolute path, because the server has its own current directory"
    )
  }
}

// MARK: - Subscriptions

extension HostClient {
  private func watch(_ content: AppContent, consumer: String?) throws(HostError) -> OperationResult {
    let number = state.withLock { state -> Int64? in
      guard state.subscriptions.count < limits.subscriptions else { return nil }
      state.lastSubscription += 1
      return state.lastSubscription
    }
    guard let number else {
      throw HostError(
        argument: "this client has \(limits.subscriptions) subscriptions; end one with content/unwatch"
      )
    }
    let changes = content.changes(consumer: consumer)
    return OperationResult(["subscription": .integer(number)]) { [weak self] in
      self?.report(changes, number)
    }
  }

  private func report(_ changes: ContentChanges, _ number: Int64) {
    let notify = notify
    let task = Task { [weak self] in
      do throws(HostError) {
        var iterator = changes.makeAsyncIterator()
        while let change = try await iterator.next() {
          notify("content/changed", ["subscription": .integer(number), "change": change.json])
        }
      } catch {
        notify(
          "content/ended",
          ["subscription": .integer(number), "message": .string(error.description)]
        )
      }
      self?.state.withLock { _ = $0.subscriptions.removeValue(forKey: number) }
    }
    let isClosed = state.withLock { state in
      if !state.isClosed { state.subscriptions[number] = task }
      return state.isClosed
    }
    if isClosed { task.cancel() }
  }

  private func unwatch(_ parameters: OperationParameters) -> OperationResult {
    let number = parameters["subscription"]?.integer ?? 0
    state.withLock { $0.subscriptions.removeValue(forKey: number) }?.cancel()
    return .none
  }
}
