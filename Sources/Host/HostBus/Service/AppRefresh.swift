// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The reads of the list of apps, one at a time.
struct AppRefresh {
  /// An action after a read that starts after its request.
  enum Waiter {
    /// Answer a call with a reply.
    case reply(call: UInt64, Result<[BusValue], BusFailure>)
    /// Answer a call with all objects.
    case managedObjects(call: UInt64)
    /// Perform a call again whose object was unknown.
    case repetition(ReceivedMessage, sender: String)
  }

  /// The actions after the current read.
  private var current: [Waiter] = []
  /// The actions after the next read.
  private var next: [Waiter] = []
  private var isRunning = false
  private var isDue = false

  /// Requests a read. Returns whether the caller has to start it.
  mutating func request(_ waiter: Waiter?) -> Bool {
    if let waiter { next.append(waiter) }
    isDue = true
    return startIfDue()
  }

  /// Ends a read. Returns the actions, and whether the caller has to start another read.
  mutating func end() -> (waiters: [Waiter], startsAgain: Bool) {
    let waiters = current
    (current, isRunning) = ([], false)
    return (waiters, startIfDue())
  }

  private mutating func startIfDue() -> Bool {
    guard isDue, !isRunning else { return false }
    (current, next, isRunning, isDue) = (next, [], true, false)
    return true
  }
}

/// The subscriptions to the content of the apps.
struct ContentWatches {
  /// The state of the subscription of an app.
  private enum State {
    /// The subscription was requested.
    case requested
    /// The subscription exists.
    case active(Int64)
  }

  private var states: [String: State] = [:]
  private var apps: [Int64: String] = [:]
  /// The changes that arrived before the reply to the request of their subscription.
  private var earlyChanges: [(subscription: Int64, change: JSONValue)] = []

  /// Marks the subscription of an app as requested. Returns `false` if it exists or was requested.
  mutating func request(_ app: String) -> Bool {
    guard states[app] == nil else { return false }
    states[app] = .requested
    return true
  }

  /// Stores the subscription of an app. Returns the changes that have arrived before, or `nil` if the app has
  /// another subscription.
  mutating func start(_ app: String, _ subscription: Int64) -> [JSONValue]? {
    if case .active? = states[app] { return nil }
    (states[app], apps[subscription]) = (.active(subscription), app)
    let changes = earlyChanges.filter { $0.subscription == subscription }.map(\.change)
    earlyChanges = earlyChanges.filter { $0.subscription != subscription }
    return changes
  }

  /// Removes the subscription of an app. Returns the subscription if it exists.
  mutating func end(_ app: String) -> Int64? {
    guard case .active(let subscription)? = states.removeValue(forKey: app) else { return nil }
    apps[subscription] = nil
    return subscription
  }

  /// Returns the app of a subscription, or keeps the change if the subscription is unknown.
  mutating func app(_ subscription: Int64, _ change: JSONValue) -> String? {
    if let app = apps[subscription] { return app }
    if earlyChanges.count < BusLimits.earlyEvents { earlyChanges.append((subscription, change)) }
    return nil
  }

  /// Returns the app of a subscription.
  func app(_ subscription: Int64) -> String? { apps[subscription] }
}
