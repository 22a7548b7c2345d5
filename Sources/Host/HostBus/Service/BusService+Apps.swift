// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

// MARK: - The list of apps

extension BusService {
  /// Reads the list of apps, and continues with an action.
  func refreshApps(then waiter: AppRefresh.Waiter? = nil) {
    if refresh.request(waiter) { readApps() }
  }

  /// Reads the list of apps, and performs a call again.
  func refreshApps(thenRepeat message: ReceivedMessage, _ sender: String) throws(BusFailure) {
    try countCall(of: sender)
    refreshApps(then: .repetition(message, sender: sender))
  }

  private func readApps() {
    guard let host = clients[.service]?.host else { return }
    let mailbox = mailbox
    Task {
      let result: Result<[JSONValue], OperationError>
      do throws(OperationError) {
        result = .success(try await host.perform("apps/list", [:]).value["apps"]?.elements ?? [])
      } catch { result = .failure(error) }
      mailbox.post(.apps(result))
    }
  }

  /// Updates the objects, and continues with the actions that waited for the list.
  func receiveApps(_ result: Result<[JSONValue], OperationError>) {
    let (waiters, startsAgain) = refresh.end()
    var failure: BusFailure?
    switch result {
    case .success(let apps): updateApps(apps)
    case .failure(let error): failure = BusFailure(error)
    }
    for waiter in waiters {
      switch waiter {
      case .reply(let call, let reply): answer(call, reply)
      case .managedObjects(let call):
        answer(call, failure.map { .failure($0) } ?? .success([managedObjects()]))
      case .repetition(let message, let sender): performAgain(message, sender)
      }
    }
    if startsAgain { readApps() }
  }

  private func performAgain(_ message: ReceivedMessage, _ sender: String) {
    // The caller may have disconnected. A client that is created for it would never be closed.
    guard callers[sender] != nil else { return }
    callers[sender]?.pendingCalls -= 1
    do throws(BusFailure) {
      guard phase == .running else { throw .stopping }
      try perform(message, sender, isRepeated: true)
    } catch { try? bus?.reply(to: message, error) }
  }

  /// Replaces the apps, reports the differences, and watches the content of new apps.
  func updateApps(_ apps: [JSONValue]) {
    let changes = tree.replaceApps(apps)
    for object in changes.removed {
      reportRemoved(object)
      if case .app(let id) = object { unwatch(id) }
    }
    for object in changes.added { reportAdded(object) }
    for object in changes.changed { reportProperties(properties(of: object), of: object) }
    for case .app(let id) in tree.objects { watch(id) }
  }
}

// MARK: - Changes of content

extension BusService {
  /// Subscribes to the content of an app, unless a subscription exists.
  private func watch(_ app: String) {
    guard phase == .running, let host = clients[.service]?.host, watches.request(app) else { return }
    let mailbox = mailbox
    Task {
      let result = try? await host.perform("content/watch", ["app": .string(app)])
      mailbox.post(.watched(app: app, subscription: result?.value["subscription"]?.integer))
      result?.begin?()
    }
  }

  private func unwatch(_ app: String) {
    if let subscription = watches.end(app) { endSubscription(subscription) }
  }

  private func endSubscription(_ subscription: Int64) {
    guard let host = clients[.service]?.host else { return }
    Task { _ = try? await host.perform("content/unwatch", ["subscription": .integer(subscription)]) }
  }

  /// Stores the subscription of an app, or tries again later.
  func watchStarted(_ app: String, _ subscription: Int64?) {
    guard let subscription else {
      _ = watches.end(app)
      return mailbox.post(.appsChanged, after: Self.watchInterval)
    }
    // The app may have been uninstalled since the request.
    guard tree.contains(.app(app)) else {
      _ = watches.end(app)
      return endSubscription(subscription)
    }
    // The app may have been uninstalled and installed again, with two requests.
    guard let changes = watches.start(app, subscription) else { return endSubscription(subscription) }
    for change in changes { report(change, of: app) }
  }

  /// Handles the end of a subscription because of an error.
  func watchEnded(_ parameters: JSONValue) {
    guard let subscription = parameters["subscription"]?.integer, let app = watches.app(subscription) else {
      return
    }
    _ = watches.end(app)
    mailbox.post(.appsChanged, after: Self.watchInterval)
  }

  /// Handles a change of the content of an app.
  func contentChanged(_ parameters: JSONValue) {
    guard let subscription = parameters["subscription"]?.integer, let change = parameters["change"],
      let app = watches.app(subscription, change)
    else { return }
    report(change, of: app)
  }

  private func report(_ change: JSONValue, of app: String) {
    let path = BusObject.app(app).path
    if let delivery = change["added"] {
      emit(path, .app, "ContentAdded", [BusValue(object: delivery)])
    } else if let session = change["removed"]?.string {
      emit(path, .app, "ContentRemoved", [.string(session)])
    }
  }
}
