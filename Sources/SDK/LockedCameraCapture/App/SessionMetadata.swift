// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import JSONText

/// The host's record of a finished session; Apple's framework has no counterpart.
public struct SessionMetadata: Sendable, Hashable {
  /// The identifier of the session: the same in extension and app, and the name of the content directory.
  public let sessionID: UUID
  /// The content directory, or `nil` if the session left none or it was invalidated.
  public let contentURL: URL?
  /// The number of files that were migrated; a capture may consist of several.
  public let files: Int
  /// The total size of the files in bytes.
  public let bytes: Int
  /// The time at which the session started.
  public let startedAt: Date?
  /// The time at which the last process of the session had exited.
  public let endedAt: Date?
  /// The ID of the extension.
  public let extensionID: String?
  /// The reason why the session ended, or `nil` if there is no record or the record has no outcome.
  public let termination: TerminationReason?
  /// The reason as English text, without a final period.
  public let reason: String?

  /// Creates metadata from a record; `content` is the URL of the content, or `nil` if it does not exist.
  init(_ sessionID: UUID, _ record: JSONValue, content: URL?) {
    self.sessionID = sessionID
    contentURL = content
    files = record["content"]?["files"]?.integer.flatMap { Int(exactly: $0) } ?? 0
    bytes = record["content"]?["bytes"]?.integer.flatMap { Int(exactly: $0) } ?? 0
    startedAt = Self.date(record["startedAt"])
    endedAt = Self.date(record["endedAt"])
    extensionID = record["extension"]?.string
    termination = record["outcome"].flatMap(TerminationReason.init)
    reason = record["reason"]?.string
  }

  /// Creates metadata for content without a record.
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

  /// Parses a time of a record: RFC 3339, UTC, with milliseconds.
  static func date(_ value: JSONValue?) -> Date? {
    guard let text = value?.string else { return nil }
    return try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
  }
}

/// The reason why a session ended.
public enum TerminationReason: Sendable, Hashable {
  /// The extension exited with this exit code.
  case exited(code: Int)
  /// The extension was terminated by a signal, usually because of a crash.
  case crashed(signal: Int, name: String)
  /// The session was dismissed; `by` is the cause as spelled in the record, such as `user`, `extension` or
  /// `applicationOpened`.
  case dismissed(by: String)
  /// The watchdog ended the session because of these requirements: `camera`, `viewfinder` or `captureEvents`.
  case watchdog(missing: [String])
  /// A time limit expired; `deadline` is its name.
  case timedOut(deadline: String)
  /// The extension violated the protocol or a rule of the sandbox; the value is the description.
  case violation(String)
  /// The host failed, not the extension; the value is the description.
  case hostFailure(String)
  /// An outcome of a later version of the host, as spelled in the record.
  case other(String)

  /// Decodes the outcome of a record.
  init?(_ outcome: JSONValue) {
    func text(_ name: String) -> String { outcome[name]?.string ?? "" }
    guard let kind = outcome["kind"]?.string else { return nil }
    switch kind {
    case "completed": self = .exited(code: Int(outcome["exitCode"]?.integer ?? 0))
    case "signaled": self = .crashed(signal: Int(outcome["signal"]?.integer ?? 0), name: text("name"))
    case "dismissed":
      // Records of versions 1 and 2 have another name for the user.
      self = .dismissed(by: text("by") == "person" ? "user" : text("by"))
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
