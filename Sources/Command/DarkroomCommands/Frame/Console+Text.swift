// SPDX-License-Identifier: Apache-2.0

extension Console {
  /// Writes a text of several lines, and adds a final newline if the text has none.
  func printText(_ text: String) { print(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
}
