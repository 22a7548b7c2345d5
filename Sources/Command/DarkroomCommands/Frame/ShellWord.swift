// SPDX-License-Identifier: Apache-2.0

/// Words of a command line that a person may copy into a shell.
enum ShellWord {
  /// A word as a shell takes it for one, whatever is in it.
  static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.unicodeScalars.allSatisfy(isPlain)
    return isPlain ? word : "'\(word.replacing("'", with: #"'\''"#))'"
  }

  /// Whether no shell sees more in a character than itself.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-", "+", ",", ":", "=", "@": true
    default: false
    }
  }
}
