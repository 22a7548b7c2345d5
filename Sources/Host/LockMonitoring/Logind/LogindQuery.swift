// SPDX-License-Identifier: Apache-2.0

internal import SystemBus

/// A query to logind, as one of the steps to the properties of a session.
enum LogindQuery: Hashable {
  /// The object path of the session with this ID.
  case session(id: String)
  /// The object path of the user.
  case user(UInt32)
  /// The session of the user's display.
  case display(path: String)
  /// The object path of the seat.
  case seat(String)
  /// The session in the foreground of the seat.
  case active(path: String, seat: String)
  /// The properties of the session.
  case properties(id: String, path: String)

  /// The D-Bus interface of sessions.
  static let sessionInterface = "org.freedesktop.login1.Session"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let propertiesInterface = "org.freedesktop.DBus.Properties"
  private static let root = "/org/freedesktop/login1"

  /// Returns the first query about a session.
  static func first(_ choice: LogindSession, _ environment: LockEnvironment) -> LogindQuery {
    switch choice {
    case .id(let id): .session(id: id)
    case .seat(let seat): .seat(seat)
    case .own: environment.sessionID.map { .session(id: $0) } ?? .user(environment.user)
    }
  }

  /// The method call of the query.
  var call: (path: String, interface: String, member: String, arguments: [BusConnection.Argument]) {
    switch self {
    case .session(let id): (Self.root, Self.manager, "GetSession", [.text(id)])
    case .user(let user): (Self.root, Self.manager, "GetUser", [.number(user)])
    case .seat(let seat): (Self.root, Self.manager, "GetSeat", [.text(seat)])
    case .display(let path):
      (path, Self.propertiesInterface, "Get", [.text("org.freedesktop.login1.User"), .text("Display")])
    case .active(let path, _):
      (path, Self.propertiesInterface, "Get", [.text("org.freedesktop.login1.Seat"), .text("ActiveSession")])
    case .properties(_, let path):
      (path, Self.propertiesInterface, "GetAll", [.text(Self.sessionInterface)])
    }
  }

  /// The result of a reply.
  enum Answer {
    /// Another query is needed.
    case next(LogindQuery)
    /// The properties of the session with this object path.
    case facts(LogindFacts, path: String)
    /// No session can be found, so the screen counts as locked.
    case end(LockReason)
  }

  /// Parses the reply to this query.
  func parseReply(_ reader: BusReader) -> Answer {
    let malformed = Answer.end(.logindRefused("an invalid message"))
    switch self {
    case .session(let id): return reader.text("o").map { .next(.properties(id: id, path: $0)) } ?? malformed
    case .user: return reader.text("o").map { .next(.display(path: $0)) } ?? malformed
    case .seat(let seat): return reader.text("o").map { .next(.active(path: $0, seat: seat)) } ?? malformed
    case .display, .active:
      guard let found = Self.session(reader) else { return malformed }
      return found.id.isEmpty
        ? .end(.noSession(requestedSession)) : .next(.properties(id: found.id, path: found.path))
    case .properties(let id, let path):
      return LogindFacts(id: id, properties: reader).map { .facts($0, path: path) } ?? malformed
    }
  }

  /// Returns the reason that an error reply to this query implies.
  func reason(of error: String) -> LockReason {
    let prefix = "org.freedesktop.login1.NoSuch"
    if error.hasPrefix(prefix) || error == "org.freedesktop.login1.NoSessionForPID"
      || error == "org.freedesktop.DBus.Error.UnknownObject"
    {
      return .noSession(requestedSession)
    }
    let gone = ["ServiceUnknown", "NameHasNoOwner", "NoReply", "Disconnected"].map {
      "org.freedesktop.DBus.Error.\($0)"
    }
    return gone.contains(error) ? .logindUnavailable : .logindRefused(error)
  }

  /// The session that the query concerns.
  private var requestedSession: LogindSession {
    switch self {
    case .session(let id), .properties(let id, _): .id(id)
    case .user, .display: .own
    case .seat(let seat), .active(_, let seat): .seat(seat)
    }
  }

  /// Returns a session's ID and object path from a variant.
  private static func session(_ reader: BusReader) -> (id: String, path: String)? {
    reader.readContainer("v", "(so)") {
      reader.readContainer("r", "so") {
        guard let id = reader.text(), let path = reader.text("o") else { return nil }
        return (id, path)
      }
    }
  }
}
