// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// One question to logind on the way to what it says of a session, as a value.
enum LogindStep: Hashable {
  /// Which object is the session with this id?
  case session(id: String)
  /// Which object is the user?
  case user(UInt32)
  /// In which session does the user have a display?
  case display(path: String)
  /// Which object is the seat?
  case seat(String)
  /// Which session is in front at the seat?
  case active(path: String, seat: String)
  /// What are the session's properties?
  case properties(id: String, path: String)

  /// The interface of sessions.
  static let sessionInterface = "org.freedesktop.login1.Session"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let propertiesInterface = "org.freedesktop.DBus.Properties"
  private static let root = "/org/freedesktop/login1"

  /// The first question about a session.
  static func first(_ choice: LogindSession, _ surroundings: LockSurroundings) -> LogindStep {
    switch choice {
    case .id(let id): .session(id: id)
    case .seat(let seat): .seat(seat)
    case .own: surroundings.sessionID.map { .session(id: $0) } ?? .user(surroundings.user)
    }
  }

  /// How the question is put.
  var question: (path: String, interface: String, member: String, arguments: [BusConnection.Argument]) {
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

  /// What follows from an answer.
  enum Answer {
    /// Another question.
    case next(LogindStep)
    /// What logind says of the session with this object path.
    case facts(LogindFacts, path: String)
    /// Nothing more to ask: locked.
    case end(LockReason)
  }

  /// Understands the answer to this question.
  func understand(_ reader: BusReader) -> Answer {
    let strange = Answer.end(.logindRefused("an answer that Darkroom does not understand"))
    switch self {
    case .session(let id): return reader.text("o").map { .next(.properties(id: id, path: $0)) } ?? strange
    case .user: return reader.text("o").map { .next(.display(path: $0)) } ?? strange
    case .seat(let seat): return reader.text("o").map { .next(.active(path: $0, seat: seat)) } ?? strange
    case .display, .active:
      guard let found = Self.session(reader) else { return strange }
      return found.id.isEmpty ? .end(.noSession(wanted)) : .next(.properties(id: found.id, path: found.path))
    case .properties(let id, let path):
      return LogindFacts(id: id, properties: reader).map { .facts($0, path: path) } ?? strange
    }
  }

  /// What an error says to this question.
  func meaning(of error: String) -> LockReason {
    let prefix = "org.freedesktop.login1.NoSuch"
    if error.hasPrefix(prefix) || error == "org.freedesktop.login1.NoSessionForPID"
      || error == "org.freedesktop.DBus.Error.UnknownObject"
    {
      return .noSession(wanted)
    }
    let gone = ["ServiceUnknown", "NameHasNoOwner", "NoReply", "Disconnected"].map {
      "org.freedesktop.DBus.Error.\($0)"
    }
    return gone.contains(error) ? .logindGone : .logindRefused(error)
  }

  /// The session that the question is about.
  private var wanted: LogindSession {
    switch self {
    case .session(let id), .properties(let id, _): .id(id)
    case .user, .display: .own
    case .seat(let seat), .active(_, let seat): .seat(seat)
    }
  }

  /// A session's id and object path, in a variant.
  private static func session(_ reader: BusReader) -> (id: String, path: String)? {
    reader.inside("v", "(so)") {
      reader.inside("r", "so") {
        guard let id = reader.text(), let path = reader.text("o") else { return nil }
        return (id, path)
      }
    }
  }
}
