// SPDX-License-Identifier: Apache-2.0

/// The quotation of words in command lines that a user may copy into a shell.
package enum ShellWord {
  /// Returns a word, quoted if necessary, so that a shell reads it as one literal word.
  package static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.unicodeScalars.allSatisfy(isPlain)
    return isPlain ? word : "'\(word.replacing("'", with: #"'\''"#))'"
  }

  /// Returns whether a character has no special meaning in any shell.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-", "+", ",", ":", "=", "@": true
    default: false
    }
  }
}
