// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// What of a session was kept from its app, for whoever ran it.
package enum QuarantineOutput {
  /// How many items are told one by one: an extension can leave a hundred thousand of them.
  private static let most = 8
  /// How many characters of a path are told, of its beginning and its end: one can have four thousand.
  private static let ends = (80, 40)

  /// A line for each item, or for the first of many; then where all of them are.
  package static func lines(_ record: SessionRecord) -> [String] {
    let items = record.quarantined
    guard !items.isEmpty else { return [] }
    let lines = items.prefix(most).map { "not handed over: \(shortened($0.path)): \($0.reason.explanation)" }
    let rest = items.count > most ? ["not handed over: \(items.count - most) more"] : []
    return lines + rest + ["what was kept stays until it is removed: '\(command(record))'"]
  }

  /// The command that shows all of them.
  static func command(_ record: SessionRecord) -> String {
    "darkroom quarantine show \(record.app) \(record.sessionID)"
  }

  private static func shortened(_ path: String) -> String {
    guard path.count > ends.0 + ends.1 else { return path }
    return "\(path.prefix(ends.0))…\(path.suffix(ends.1)) (\(path.utf8.count) bytes)"
  }
}
