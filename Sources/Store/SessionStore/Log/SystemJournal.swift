// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The system journal (systemd-journald), in its native protocol with one datagram for each entry.
///
/// The journal belongs to another user than the state root. A process that can write to the state root cannot
/// remove digests from it.
package struct SystemJournal: Sendable, Hashable {
  /// The path of journald's socket.
  package static let standardPath = "/run/systemd/journal/socket"
  /// The environment variable with the path of another socket; the value `none` disables the journal.
  package static let variable = "DARKROOM_JOURNAL"

  private let path: String?

  /// Creates a journal with the given socket path.
  package init(path: String) { self.path = path }

  /// Creates the journal that the environment selects. An empty variable counts as unset.
  package init(environment: (String) -> String?) {
    let named = environment(Self.variable).flatMap { $0.isEmpty ? nil : $0 }
    path = named == "none" ? nil : named ?? Self.standardPath
  }

  /// Sends an entry without blocking. Errors are ignored, because the session log has the entry.
  func send(_ entry: LogEntry, _ root: StateRoot) {
    // Without a journal, no socket is created.
    guard let path, let status = try? FileSystem.status(path), status.kind == .socket else { return }
    try? LocalSocket.send(Self.datagram(entry, root), to: path)
  }

  /// The ID of this kind of message; see `MESSAGE_ID` in systemd.journal-fields(7).
  private static let messageID = "5d0a7f3be0f54c6cb1b1f7f24c1f9a52"

  /// Returns an entry as a datagram of the native protocol of journald.
  private static func datagram(_ entry: LogEntry, _ root: StateRoot) -> [UInt8] {
    let session = entry.note.session
    let fields: [(String, String?)] = [
      ("MESSAGE", message(entry)),
      ("PRIORITY", priority(entry)),
      ("MESSAGE_ID", messageID),
      ("SYSLOG_IDENTIFIER", "darkroom"),
      ("DARKROOM_ROOT", root.path),
      ("DARKROOM_KIND", entry.note.kind.rawValue),
      ("DARKROOM_SESSION", session?.id.description),
      ("DARKROOM_APP", session?.app),
      ("DARKROOM_EXTENSION", session?.extensionID),
      ("DARKROOM_OUTCOME", session?.outcome),
      ("DARKROOM_REFUSED", session.map { "\($0.refused)" }),
      ("DARKROOM_RECORD_DIGEST", session.map { "\($0.recordDigest)" }),
      ("DARKROOM_HEAD", "\(entry.head)"),
    ]
    return fields.flatMap { name, value in value.map { field(name, $0) } ?? [] }
  }

  /// Returns a field. A value with a line break is preceded by its length.
  private static func field(_ name: String, _ value: String) -> [UInt8] {
    let bytes = Array(value.utf8)
    guard bytes.contains(UInt8(ascii: "\n")) else { return Array("\(name)=".utf8) + bytes + [0x0A] }
    let length = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(bytes.count) >> (8 * UInt64($0))) }
    return Array("\(name)\n".utf8) + length + bytes + [0x0A]
  }

  private static func message(_ entry: LogEntry) -> String {
    guard let session = entry.note.session else {
      return "an incomplete line of the session log was quarantined after a crash"
    }
    return "session \(session.id) of \(session.extensionID) for \(session.app): \(session.outcome)"
      + (session.refused > 0 ? ", \(session.refused) call\(session.refused == 1 ? "" : "s") refused" : "")
  }

  /// Returns the syslog(3) priority: informational, warning or error.
  private static func priority(_ entry: LogEntry) -> String {
    switch entry.note.session?.outcome {
    case "completed", "dismissed": "6"
    case "hostFailure": "3"
    default: "4"
    }
  }
}
