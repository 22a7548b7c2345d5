// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SystemBus

/// The lock state of a logind session, from `LockedHint`, the Lock and Unlock signals, and the foreground
/// session.
///
/// Every signal of logind starts a new query, so no signal has to be interpreted and none can be missed. A
/// Lock signal takes effect at once. An unlock takes effect only after a reply of logind.
final class LogindSource: LockSource, BusConnection.Listener {
  private(set) var report = LockReport(.locked, .awaitingLogind)

  let choice: LogindSession
  let environment: LockEnvironment
  private var waiting: WaitSet?
  private var clock: TimerDescriptor?
  private var connection: BusConnection?
  /// The pending query, or `nil` without one.
  var step: LogindQuery?
  /// Whether a signal arrived since the pending query was sent.
  private var needsQuery = false
  /// The session that was found last.
  var session: (id: String, path: String)?
  /// Whether logind has requested a lock that is not known to be over.
  private var isBeingLocked = false
  /// The last `LockedHint` of the session.
  private var wasLocked = false
  /// The unique bus name of logind. Signals of other connections that look the same are ignored.
  private var logind: String?
  /// The time of the next connection attempt.
  private var retry: UInt64?
  private var retries = 0

  /// Starts to monitor a session.
  init(_ choice: LogindSession, _ environment: LockEnvironment) {
    self.choice = choice
    self.environment = environment
    waiting = try? WaitSet.make()
    clock = try? TimerDescriptor.make()
    guard waiting?.descriptor.rawValue != nil, let time = clock?.descriptor.rawValue else {
      report = LockReport(.locked, .notWatchable(SystemCallError("epoll_create1")))
      return
    }
    try? waiting?.watch(time)
    connect()
    watch()
  }

  var descriptor: Int32? { waiting?.descriptor.rawValue }

  func refresh() {
    if let retry, retry <= MonotonicClock.now {
      self.retry = nil
      connect()
    }
    do throws(SystemCallError) { try connection?.process() } catch {
      disconnect(.busUnavailable(error.errno))
    }
    watch()
  }

  /// Asks the session's locker to unlock. The result appears in ``report``.
  func requestUnlock() {
    guard let connection, let session else { return }
    // A failure means that the connection is lost, which the next refresh detects.
    try? connection.call(session.path, LogindQuery.sessionInterface, "Unlock", [], wantsReply: false)
    isBeingLocked = false
    startQuery()
    refresh()
  }

  // MARK: Connection

  /// Opens a connection, registers for signals, and sends the first query.
  private func connect() {
    guard BusConnection.isAvailable else { return disconnect(.busLibraryUnavailable) }
    do throws(SystemCallError) {
      let connection = try BusConnection(
        environment.busAddress,
        service: "org.freedesktop.login1",
        listener: self
      )
      try connection.matchSignals()
      self.connection = connection
      step = nil
      startQuery()
    } catch { disconnect(.busUnavailable(error.errno)) }
  }

  /// Reports locked because of a lost connection, and schedules the next attempt after 1, 2, 4, 8, 16 and
  /// then 30 seconds.
  private func disconnect(_ reason: LockReason) {
    if let connection { waiting?.forget(connection.descriptor) }
    connection = nil
    logind = nil
    step = nil
    report = LockReport(.locked, reason)
    retries = min(retries + 1, 6)
    retry = MonotonicClock.now + min(30, 1 << UInt64(retries - 1)) * 1_000_000_000
  }

  /// Updates the events and the deadline for which the connection is watched.
  private func watch() {
    do throws(SystemCallError) {
      if let connection { try waiting?.watch(connection.descriptor, connection.interest) }
      try clock?.set(retry ?? connection?.deadline)
    } catch {
      // The next change would not be noticed.
      report = LockReport(.locked, .notWatchable(error))
    }
  }

  // MARK: Queries and replies

  /// Starts the queries about the session from the beginning, after the reply to a pending query.
  private func startQuery() {
    guard step == nil else {
      needsQuery = true
      return
    }
    needsQuery = false
    send(LogindQuery.first(choice, environment))
  }

  /// Sends one query.
  private func send(_ next: LogindQuery) {
    guard let connection else { return }
    step = next
    let call = next.call
    do throws(SystemCallError) {
      try connection.call(call.path, call.interface, call.member, call.arguments)
    } catch { disconnect(.busUnavailable(error.errno)) }
  }

  func didReceiveReply(_ reader: BusReader) {
    guard let step else { return }
    self.step = nil
    retries = 0
    if let name = reader.errorName {
      finishLocked(step.reason(of: name))
    } else {
      logind = reader.sender
      switch step.parseReply(reader) {
      case .next(let next): return send(next)
      case .facts(let facts, let path): take(facts, path)
      case .end(let reason): finishLocked(reason)
      }
    }
    if needsQuery { startQuery() }
  }

  /// Applies the properties of the session.
  private func take(_ facts: LogindFacts, _ path: String) {
    // If the locker has unlocked, it has also handled earlier lock requests.
    if session?.path != path || (wasLocked && !facts.isLocked) { isBeingLocked = false }
    session = (facts.id, path)
    wasLocked = facts.isLocked
    report = facts.report(for: environment.user, isBeingLocked: isBeingLocked)
  }

  /// Reports locked for a reason.
  private func finishLocked(_ reason: LockReason) {
    session = nil
    report = LockReport(.locked, reason)
  }

  func didReceiveSignal(_ reader: BusReader) {
    if let owner = reader.newOwner() {
      ownerChanged(owner)
    } else if reader.sender == logind {
      if let session, reader.path == session.path { sessionSignalled(reader, session.id) }
      startQuery()
    }
  }

  /// Handles the start or exit of logind.
  private func ownerChanged(_ owner: String) {
    logind = owner.isEmpty ? nil : owner
    if owner.isEmpty { finishLocked(.logindUnavailable) } else { startQuery() }
  }

  /// Handles a signal of the session.
  private func sessionSignalled(_ reader: BusReader, _ id: String) {
    switch reader.member {
    case "Lock":
      isBeingLocked = true
      if report.state == .unlocked { report = LockReport(.locked, .sessionBeingLocked(id)) }
    case "Unlock": isBeingLocked = false
    case "PropertiesChanged":
      guard reader.text() == LogindQuery.sessionInterface else { return }
      _ = reader.forEachProperty { name in
        guard name == "LockedHint", let isLocked = reader.readContainer("v", "b", { reader.bool() }) else {
          return
        }
        if isLocked { report = LockReport(.locked, .sessionLocked(id)) } else { isBeingLocked = false }
      }
    default: break
    }
  }
}
