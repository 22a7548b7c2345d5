// SPDX-License-Identifier: Apache-2.0

/// A reader of untrusted input that the fuzzer and the tests exercise.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// JSON texts.
  case json
  /// The manifests of an app and of an extension.
  case manifest
  /// Policies, with the policies that they extend.
  case policy
  /// Messages of an extension.
  case extensionMessage = "extension-message"
  /// Messages of the host.
  case hostMessage = "host-message"
  /// Bytes of a pipe, split into lines.
  case framing
  /// Videos in YUV4MPEG2 format.
  case yuv4mpeg
  /// Seccomp filters.
  case filter
  /// Programs: scripts, ELF files and the loader cache.
  case program
  /// Session records.
  case record
  /// Session journals.
  case journal
  /// Session log entries.
  case logLine = "log-line"
  /// Deliveries in the mailbox of an app.
  case delivery
  /// App contexts.
  case context
  /// The names in a content directory.
  case names

  /// Parses the input and checks the invariants of the reader.
  package func check(_ input: [UInt8]) throws(Contradiction) {
    switch self {
    case .json: try checkJSON(input)
    case .manifest: try checkManifest(input)
    case .policy: try checkPolicy(input)
    case .extensionMessage: try checkExtensionMessage(input)
    case .hostMessage: try checkHostMessage(input)
    case .framing: try checkFraming(input)
    case .yuv4mpeg: try checkVideo(input)
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
