// SPDX-License-Identifier: Apache-2.0

extension Console {
  /// Writes a text of many lines that ends with one newline, whether it brings one or not.
  func printText(_ text: String) { print(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
}
