// SPDX-License-Identifier: Apache-2.0

/// The texts on a lock screen. Each is one short line without invisible characters (``SanitizedText``),
/// regardless of its author.
package struct LockScreenText: Hashable, Sendable {
  /// The name of the app that the answer opens, or an empty string.
  package private(set) var app = ""
  /// The question, for example from PAM, or an empty string.
  package private(set) var question = ""
  /// The reason why the last answer was refused, another notice, or an empty string.
  package private(set) var notice = ""
  /// The typed answer, if the question allows it to be visible.
  package private(set) var typed = ""

  /// The maximum number of characters of each text.
  private static let (mostOfApp, mostOfQuestion, mostOfNotice, mostOfTyped) = (40, 120, 160, 120)

  /// Creates sanitized texts.
  package init(app: String = "", question: String = "", notice: String = "", typed: String = "") {
    self.app = SanitizedText.name(app, maximum: Self.mostOfApp)
    self.question = SanitizedText.line(question, maximum: Self.mostOfQuestion)
    self.notice = SanitizedText.line(notice, maximum: Self.mostOfNotice)
    // The end is kept, because the user types there.
    self.typed = SanitizedText.line(
      String(String.UnicodeScalarView(typed.unicodeScalars.suffix(Self.mostOfTyped))),
      maximum: Self.mostOfTyped
    )
  }

  /// Creates texts from ``text``, or returns `nil` if it is not valid.
  init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 4 else { return nil }
    self.init(app: lines[0], question: lines[1], notice: lines[2], typed: lines[3])
  }

  /// The encoded texts, one per line.
  var text: String { "\(app)\n\(question)\n\(notice)\n\(typed)" }
}
