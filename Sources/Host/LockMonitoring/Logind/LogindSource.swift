// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// The lock of a session as logind knows it: `LockedHint`, the signals Lock and Unlock, and who is in front.
///
/// Every signal of logind makes it ask again, so that none of them needs to be understood and none can be missed. A
/// lock is believed at once; an unlock only from logind's own answer.
final class LogindSource: LockSource, BusConnection.Listener {
  private(set) var report = LockReport(.locked, .awaitingLogind)

  let choice: LogindSession
  let surroundings: LockSurroundings
  private var waiting: WaitSet?
  private var clock: AlarmClock?
  private var connection: BusConnection?
  /// What the reply that is under way is the answer to.
  var step: LogindStep?
  /// Whether something has happened since the question that is under way was asked.
  private var mustAskAgain = false
  /// The session that was found last.
  var session: (id: String, path: String)?
  /// Whether logind has asked for a lock since the last proof that it is over.
  private var isBeingLocked = false
  /// What the session's locker said last.
  private var wasLocked = false
  /// The connection of logind itself, as the bus names it; others can send signals that look the same.
  private var logind: String?
  /// When the connection is tried again.
  private var retry: UInt64?
  private var retries = 0

  /// Begins to follow a session.
  init(_ choice: LogindSession, _ surroundings: LockSurroundings) {
    self.choice = choice
    self.surroundings = surroundings
    waiting = try? WaitSet.make()
    clock = try? AlarmClock.make()
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
    do throws(SystemCallError) { try connection?.process() } catch { lose(.busGone(error.errno)) }
    watch()
  }

  /// Asks the session's locker to unlock; what it does about it is seen in ``report``.
  func requestUnlock() {
    guard let connection, let session else { return }
    // A failure is a lost connection, which the next refresh finds.
    try? connection.call(session.path, LogindStep.sessionInterface, "Unlock", [], wantsReply: false)
    isBeingLocked = false
    ask()
    refresh()
  }

  // MARK: The connection

  /// Begins a connection, asks for signals, and asks the first question.
  private func connect() {
    guard let library = SystemdLibrary.functions else { return lose(.noBusLibrary) }
    do throws(SystemCallError) {
      let connection = try BusConnection(surroundings.busAddress, library, listener: self)
      try connection.match("type='signal',sender='org.freedesktop.login1'")
      try connection.match(
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
          + "member='NameOwnerChanged',arg0='org.freedesktop.login1'"
      )
      self.connection = connection
      step = nil
      ask()
    } catch { lose(.busGone(error.errno)) }
  }

  /// Locks because there is no connection, and tries again later: 1 s, 2 s, and so on up to 30 s.
  private func lose(_ reason: LockReason) {
    if let connection { waiting?.forget(connection.descriptor) }
    connection = nil
    logind = nil
    step = nil
    report = LockReport(.locked, reason)
    retries = min(retries + 1, 6)
    retry = MonotonicClock.now + min(30, 1 << UInt64(retries - 1)) * 1_000_000_000
  }

  /// Watches for what the connection waits for now.
  private func watch() {
    do throws(SystemCallError) {
      if let connection { try waiting?.watch(connection.descriptor, connection.interest) }
      try clock?.set(retry ?? connection?.deadline)
    } catch {
      // Nobody would tell of the next change.
      report = LockReport(.locked, .notWatchable(error))
    }
  }

  // MARK: Questions and answers

  /// Asks for the session from the beginning; if a question is under way, after its answer.
  private func ask() {
    guard step == nil else {
      mustAskAgain = true
      return
    }
    mustAskAgain = false
    put(LogindStep.first(choice, surroundings))
  }

  /// Asks one question.
  private func put(_ next: LogindStep) {
    guard let connection else { return }
    step = next
    let question = next.question
    do throws(SystemCallError) {
      try connection.call(question.path, question.interface, question.member, question.arguments)
    } catch { lose(.busGone(error.errno)) }
  }

  func replied(_ reader: BusReader) {
    guard let step else { return }
    self.step = nil
    retries = 0
    if let name = reader.errorName {
      conclude(step.meaning(of: name))
    } else {
      logind = reader.sender
      switch step.understand(reader) {
      case .next(let next): return put(next)
      case .facts(let facts, let path): take(facts, path)
      case .end(let reason): conclude(reason)
      }
    }
    if mustAskAgain { ask() }
  }

  /// Takes in what logind says of the session.
  private func take(_ facts: LogindFacts, _ path: String) {
    // A locker that has unlocked has done what it was asked to before.
    if session?.path != path || (wasLocked && !facts.isLocked) { isBeingLocked = false }
    session = (facts.id, path)
    wasLocked = facts.isLocked
    report = facts.report(for: surroundings.user, isBeingLocked: isBeingLocked)
  }

  /// Locks for a reason.
  private func conclude(_ reason: LockReason) {
    session = nil
    report = LockReport(.locked, reason)
  }

  func signalled(_ reader: BusReader) {
    if reader.member == "NameOwnerChanged" && reader.sender == "org.freedesktop.DBus" {
      ownerChanged(reader)
    } else if reader.sender == logind {
      if let session, reader.path == session.path { sessionSignalled(reader, session.id) }
      ask()
    }
  }

  /// logind has begun or ended.
  private func ownerChanged(_ reader: BusReader) {
    guard reader.text() != nil, reader.text() != nil, let owner = reader.text() else { return }
    logind = owner.isEmpty ? nil : owner
    if owner.isEmpty { conclude(.logindGone) } else { ask() }
  }

  /// Something has happened to the session.
  private func sessionSignalled(_ reader: BusReader, _ id: String) {
    switch reader.member {
    case "Lock":
      isBeingLocked = true
      if report.state == .unlocked { report = LockReport(.locked, .sessionBeingLocked(id)) }
    case "Unlock": isBeingLocked = false
    case "PropertiesChanged":
      guard reader.text() == LogindStep.sessionInterface else { return }
      _ = reader.eachProperty { name in
        guard name == "LockedHint", let isLocked = reader.inside("v", "b", { reader.bool() }) else { return }
        if isLocked { report = LockReport(.locked, .sessionLocked(id)) } else { isBeingLocked = false }
      }
    default: break
    }
  }
}
