// SPDX-License-Identifier: Apache-2.0

/// A reader of what others have written, as the fuzzer and the tests feed it.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// JSON itself.
  case json
  /// The manifests of an app and of an extension.
  case manifest
  /// Policies, with all that they extend.
  case policy
  /// What an extension sends.
  case extensionMessage = "extension-message"
  /// What the host sends.
  case hostMessage = "host-message"
  /// Bytes as they come out of a pipe, cut into lines.
  case framing
  /// Films.
  case yuv4mpeg
  /// Filters of system calls.
  case filter
  /// Programs: scripts, ELF files, and the loader's cache.
  case program
  /// Session records.
  case record
  /// Journals of sessions.
  case journal
  /// Lines of the session log.
  case logLine = "log-line"
  /// What an app is told in its mailbox.
  case delivery
  /// App contexts.
  case context
  /// The names in a directory of content.
  case names

  /// Reads the input, and checks what holds of every reader of this kind.
  package func check(_ input: [UInt8]) throws(Contradiction) {
    switch self {
    case .json: try checkJSON(input)
    case .manifest: try checkManifest(input)
    case .policy: try checkPolicy(input)
    case .extensionMessage: try checkExtensionMessage(input)
    case .hostMessage: try checkHostMessage(input)
    case .framing: try checkFraming(input)
    case .yuv4mpeg: try checkFilm(input)
    case .filter: try checkFilter(input)
    case .program: try checkProgram(input)
    case .record: try checkRecord(input)
    case .journal: try checkJournal(input)
    case .logLine: try checkLogLine(input)
    case .delivery: try checkDelivery(input)
    case .context: try checkContext(input)
    case .names: try checkNames(input)
    }
  }
}
