// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// The output about quarantined files, for the user who ran the session.
package enum QuarantineOutput {
  /// The maximum number of items that are listed individually. An extension can leave a hundred thousand of
  /// them.
  private static let maximumItems = 8
  /// The number of characters that are printed of the beginning and the end of a path. A path can have four
  /// thousand characters.
  private static let pathLimits = (80, 40)

  /// Returns a line for each item, up to the maximum, and the command that lists all items.
  package static func lines(_ record: SessionRecord) -> [String] {
    let items = record.quarantined
    guard !items.isEmpty else { return [] }
    let lines = items.prefix(maximumItems).map {
      "quarantined: \(shortened($0.path)): \($0.reason.explanation)"
    }
    let rest = items.count > maximumItems ? ["quarantined: \(items.count - maximumItems) more"] : []
    return lines + rest + [
      "quarantined files are kept until they are removed: '\(command(record))' lists the files"
    ]
  }

  /// Returns the command that lists all quarantined items of a session.
  static func command(_ record: SessionRecord) -> String {
    "darkroom quarantine show \(record.app) \(record.sessionID)"
  }

  private static func shortened(_ path: String) -> String {
    guard path.count > pathLimits.0 + pathLimits.1 else { return path }
    return "\(path.prefix(pathLimits.0))…\(path.suffix(pathLimits.1)) (\(path.utf8.count) bytes)"
  }
}
