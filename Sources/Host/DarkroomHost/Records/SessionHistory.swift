// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import SessionStore

/// The log of all sessions of a state directory, including those of other hosts.
///
/// Each entry contains the digest of the previous one. A process that can write to the state directory can
/// replace the whole log; only a ``head()`` that is stored out of its reach reveals this.
public struct SessionHistory: Sendable {
  let root: StateRoot

  /// Creates the log of a state directory.
  init(_ root: StateRoot) { self.root = root }

  /// A selection of entries.
  public struct Filter: Sendable, Hashable {
    /// The ID of the app, or `nil` for all apps.
    public var appID: String?
    /// The ID of the extension, or `nil` for all extensions.
    public var extensionID: String?
    /// The outcomes, or an empty set for all outcomes.
    public var outcomes: Set<Outcome> = []
    /// The earliest time of the entries, in milliseconds since 1970, or `nil` for no limit.
    public var since: Int64?
    /// The latest time of the entries, in milliseconds since 1970, or `nil` for no limit.
    public var until: Int64?
    /// The maximum number of entries.
    public var maximumEntries: Int = .max

    /// Creates a selection of all entries.
    public init() {}
  }

  /// The kind of a session's outcome.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The extension exited.
    case completed
    /// The session was dismissed.
    case dismissed
    /// The extension violated its policy.
    case violated
    /// The extension was terminated by a signal that the host did not send.
    case signaled
    /// A deadline passed.
    case timedOut
    /// The extension did not meet the requirements of a capture extension in time.
    case watchdog
    /// The extension sent an invalid message.
    case protocolViolation
    /// The host failed.
    case hostFailure
  }

  /// The selected entries, and the unreadable lines of the log.
  public struct Listing: Sendable, Hashable {
    /// The entries, newest first.
    public let entries: [Entry]
    /// The messages about unreadable lines.
    public let failures: [String]
  }

  /// Returns the selected entries, newest first. The entries are not verified; ``verify(head:)`` verifies
  /// them.
  ///
  /// - Throws: ``HostError/system(_:)`` if the log cannot be read.
  public func entries(matching filter: Filter = Filter()) async throws(HostError) -> Listing {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      var entries: [Entry] = []
      var failures: [String] = []
      guard filter.maximumEntries > 0 else { return Listing(entries: [], failures: []) }
      // The clock can be set back, so an older entry does not end the search.
      try Self.store { () throws(StoreError) in
        try SessionLog(root).forEachFromNewest { result throws(StoreError) in
          switch result {
          case .success(let entry): if filter.selects(entry) { entries.append(Entry(entry)) }
          case .failure(let fault): failures.append("session log: \(fault)")
          }
          return entries.count < filter.maximumEntries ? .more : .stop
        }
      }
      return Listing(entries: entries, failures: failures)
    }
  }

  /// Returns the entry of a session as JSON text, in the format of `darkroom inspect`, or `nil` if the log
  /// has no entry of the session. The entry contains the session record without file names and long values.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the text is not the ID of a session, or ``HostError/store(_:)``
  ///   if the entry is damaged.
  public func record(of session: String) async throws(HostError) -> String? {
    let root = root
    guard let id = SessionID(session) else {
      throw HostError(argument: "'\(session)' is not the ID of a session; use an ID from the session log")
    }
    return try await HostThread.run { () throws(HostError) in
      let entry = try Self.store { () throws(StoreError) in try SessionLog(root).entry(.session(id)) }
      return entry.map { String(decoding: $0.json.bytes(.indented), as: UTF8.self) }
    }
  }

  /// Returns the head of the log, such as `17:sha256:…`, or `nil` if the log is empty. A copy that is stored
  /// elsewhere reveals later changes to all entries.
  ///
  /// - Throws: ``HostError/store(_:)`` if the newest entry is damaged.
  public func head() async throws(HostError) -> String? {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      let head = try Self.store { () throws(StoreError) in try SessionLog(root).head() }
      return head.map { "\($0)" }
    }
  }

  /// Verifies that no entry and no published session record was changed, removed or moved.
  ///
  /// Without a head, two changes are not detected: a log that was rewritten from its first entry, and removed
  /// newest entries.
  ///
  /// - Parameter head: An earlier result of ``head()``, or `nil`.
  ///
  /// - Returns: The result.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the text is not a head, or ``HostError/system(_:)`` if the log
  ///   cannot be read.
  public func verify(head: String? = nil) async throws(HostError) -> Verification {
    let root = root
    var kept: LogHead?
    if let head {
      kept = LogHead(head)
      guard kept != nil else {
        throw HostError(
          argument: "'\(head)' is not a head of the session log; use one that an earlier request has returned"
        )
      }
    }
    let expected = kept
    return try await HostThread.run { () throws(HostError) in
      Verification(try Self.store { () throws(StoreError) in try SessionLog(root).verify(kept: expected) })
    }
  }

  /// Returns the result of an operation of the store.
  static func store<Value>(_ body: () throws(StoreError) -> Value) throws(HostError) -> Value {
    do { return try body() } catch { throw HostError(error) }
  }
}

extension SessionHistory.Filter {
  /// Returns whether the filter selects an entry.
  fileprivate func selects(_ entry: LogEntry) -> Bool {
    if let since, entry.note.time < since { return false }
    if let until, entry.note.time > until { return false }
    if appID == nil && extensionID == nil && outcomes.isEmpty { return true }
    guard let session = entry.note.session else { return false }
    if let appID, session.app != appID { return false }
    if let extensionID, session.extensionID != extensionID { return false }
    return outcomes.isEmpty || outcomes.contains { $0.rawValue == session.outcome }
  }
}
