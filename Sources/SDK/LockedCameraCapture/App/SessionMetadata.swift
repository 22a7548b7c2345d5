// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import JSONText

/// What the host has written down about one finished session; Apple's framework has no such thing.
public struct SessionMetadata: Sendable, Hashable {
  /// The session's identity, the same in extension and app, and the name of its content directory.
  public let sessionID: UUID
  /// The content directory; nil if the session left none, or it has been invalidated.
  public let contentURL: URL?
  /// The number of files that were handed over; not the number of pictures.
  public let files: Int
  /// The sum of their lengths in bytes.
  public let bytes: Int
  /// When the session began.
  public let startedAt: Date?
  /// When no process of the session was left.
  public let endedAt: Date?
  /// The id of the extension that ran.
  public let extensionID: String?
  /// How it ended; nil if there is no record, or it does not say.
  public let termination: TerminationReason?
  /// The same as a sentence without a full stop, in English.
  public let reason: String?

  /// Reads a record; `content` is where the content is, if it is there.
  init(_ sessionID: UUID, _ record: JSONValue, content: URL?) {
    self.sessionID = sessionID
    contentURL = content
    files = record["content"]?["files"]?.integer.flatMap { Int(exactly: $0) } ?? 0
    bytes = record["content"]?["bytes"]?.integer.flatMap { Int(exactly: $0) } ?? 0
    startedAt = Self.moment(record["startedAt"])
    endedAt = Self.moment(record["endedAt"])
    extensionID = record["extension"]?.string
    termination = record["outcome"].flatMap(TerminationReason.init)
    reason = record["reason"]?.string
  }

  /// Describes content that has no record.
  init(_ sessionID: UUID, _ usage: TreeUsage, content: URL) {
    self.sessionID = sessionID
    contentURL = content
    files = Int(usage.files)
    bytes = Int(usage.bytes)
    startedAt = nil
    endedAt = nil
    extensionID = nil
    termination = nil
    reason = nil
  }

  /// A moment as the record has it: RFC 3339, in UTC, with milliseconds.
  static func moment(_ value: JSONValue?) -> Date? {
    guard let text = value?.string else { return nil }
    return try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
  }
}

/// Why a session ended.
public enum TerminationReason: Sendable, Hashable {
  /// The extension has ended by itself, with this exit code.
  case exited(code: Int)
  /// A signal has ended it; mostly a crash.
  case crashed(signal: Int, name: String)
  /// It was dismissed; `by` says by whom, as the record does: `person`, `extension`, `applicationOpened` and so on.
  case dismissed(by: String)
  /// The watchdog has ended it, because these were missing: `camera`, `viewfinder`, `captureEvents`.
  case watchdog(missing: [String])
  /// A time was up; `deadline` says which.
  case timedOut(deadline: String)
  /// It has left the protocol or broken a rule of the sandbox; a sentence.
  case violation(String)
  /// The host has failed, not the extension; a sentence.
  case hostFailure(String)
  /// A later version of the host knows more; the word in the record.
  case other(String)

  /// Reads the outcome of a record.
  init?(_ outcome: JSONValue) {
    func text(_ name: String) -> String { outcome[name]?.string ?? "" }
    guard let kind = outcome["kind"]?.string else { return nil }
    switch kind {
    case "completed": self = .exited(code: Int(outcome["exitCode"]?.integer ?? 0))
    case "signaled": self = .crashed(signal: Int(outcome["signal"]?.integer ?? 0), name: text("name"))
    case "dismissed": self = .dismissed(by: text("by"))
    case "watchdog":
      self = .watchdog(missing: (outcome["missing"]?.elements ?? []).compactMap(\.string))
    case "timedOut": self = .timedOut(deadline: text("deadline"))
    case "violated": self = .violation(text("rule"))
    case "protocolViolation": self = .violation(text("sentence"))
    case "hostFailure": self = .hostFailure(text("sentence"))
    default: self = .other(kind)
    }
  }
}
