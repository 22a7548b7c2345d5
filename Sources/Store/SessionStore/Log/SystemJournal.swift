// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The journal of the machine (systemd-journald), spoken to in its own protocol: one datagram an entry.
///
/// It belongs to another user than the state root, so what it has of a digest nobody can take back who writes there.
package struct SystemJournal: Sendable, Hashable {
  /// Where journald listens.
  package static let standardPath = "/run/systemd/journal/socket"
  /// The variable that names another socket; `none` does without.
  package static let variable = "DARKROOM_JOURNAL"

  private let path: String?

  /// A journal that listens at a path.
  package init(path: String) { self.path = path }

  /// The journal as the environment of a command has it. An empty variable counts as none.
  package init(environment: (String) -> String?) {
    let named = environment(Self.variable).flatMap { $0.isEmpty ? nil : $0 }
    path = named == "none" ? nil : named ?? Self.standardPath
  }

  /// Sends an entry. Where nobody listens, or not fast enough, nothing happens: the log itself has it.
  func send(_ entry: LogEntry, _ root: StateRoot) {
    // A machine without a journal is not even asked for a socket.
    guard let path, let status = try? FileSystem.status(path), status.kind == .socket else { return }
    try? LocalSocket.send(Self.datagram(entry, root), to: path)
  }

  /// What tells entries of this kind from all others; its like is `MESSAGE_ID` in systemd.journal-fields(7).
  private static let messageID = "5d0a7f3be0f54c6cb1b1f7f24c1f9a52"

  /// An entry in the protocol of journald.
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

  /// One field; a value with a line break is preceded by its length instead of ended by one.
  private static func field(_ name: String, _ value: String) -> [UInt8] {
    let bytes = Array(value.utf8)
    guard bytes.contains(UInt8(ascii: "\n")) else { return Array("\(name)=".utf8) + bytes + [0x0A] }
    let length = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(bytes.count) >> (8 * UInt64($0))) }
    return Array("\(name)\n".utf8) + length + bytes + [0x0A]
  }

  private static func message(_ entry: LogEntry) -> String {
    guard let session = entry.note.session else {
      return "a line of the session log that a crash had cut was moved aside"
    }
    return "session \(session.id) of \(session.extensionID) for \(session.app): \(session.outcome)"
      + (session.refused > 0 ? ", \(session.refused) calls refused" : "")
  }

  /// As syslog(3) numbers them: information, a warning, or an error.
  private static func priority(_ entry: LogEntry) -> String {
    switch entry.note.session?.outcome {
    case "completed", "dismissed": "6"
    case "hostFailure": "3"
    default: "4"
    }
  }
}
