// SPDX-License-Identifier: Apache-2.0

/// A fix for a problem: a sentence and the exact commands.
package struct Fix: Sendable, Hashable {
  /// The effect of the fix, including side effects.
  package var sentence: String
  /// The commands, in order.
  package var commands: [String]
  /// A file that has to be written before the commands are run.
  package var file: File?

  /// A file that is a part of a fix.
  package struct File: Sendable, Hashable {
    /// The path of the file.
    package var path: String
    /// The content of the file.
    package var text: String
  }

  /// Creates a fix.
  package init(_ sentence: String, _ commands: [String] = [], file: File? = nil) {
    self.sentence = sentence
    self.commands = commands
    self.file = file
  }

  /// Returns a fix that sets a kernel variable now and at each boot.
  static func sysctl(_ name: String, _ value: Int, _ sentence: String) -> Fix {
    Fix(
      sentence,
      [
        "sysctl -w \(name)=\(value)",
        "echo '\(name) = \(value)' >>/etc/sysctl.d/90-darkroom.conf",
      ]
    )
  }
}
