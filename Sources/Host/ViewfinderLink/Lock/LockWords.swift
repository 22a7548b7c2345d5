// SPDX-License-Identifier: Apache-2.0

/// What a lock screen says in words. Each is one short line without anything that is not seen (``PlainWords``), whoever has
/// chosen it.
package struct LockWords: Hashable, Sendable {
  /// The name of the app that is opened by an answer; empty: none is.
  package private(set) var app = ""
  /// What is asked, such as PAM says it; empty: nothing yet.
  package private(set) var question = ""
  /// Why the last answer was refused, or what else there is to know; empty: nothing.
  package private(set) var notice = ""
  /// What was typed, if the question says that it can be seen.
  package private(set) var typed = ""

  /// The most characters of each.
  private static let (mostOfApp, mostOfQuestion, mostOfNotice, mostOfTyped) = (40, 120, 160, 120)

  /// Says this.
  package init(app: String = "", question: String = "", notice: String = "", typed: String = "") {
    self.app = PlainWords.name(app, most: Self.mostOfApp)
    self.question = PlainWords.line(question, most: Self.mostOfQuestion)
    self.notice = PlainWords.line(notice, most: Self.mostOfNotice)
    // Its end is where the person is.
    self.typed = PlainWords.line(
      String(String.UnicodeScalarView(typed.unicodeScalars.suffix(Self.mostOfTyped))),
      most: Self.mostOfTyped
    )
  }

  /// Reads ``text``.
  init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 4 else { return nil }
    self.init(app: lines[0], question: lines[1], notice: lines[2], typed: lines[3])
  }

  /// A line for each.
  var text: String { "\(app)\n\(question)\n\(notice)\n\(typed)" }
}
