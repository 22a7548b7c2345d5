// SPDX-License-Identifier: Apache-2.0

/// What to do about something that is missing: a sentence, and what exactly to type.
package struct Mend: Sendable, Hashable {
  /// What it does, and what else it changes.
  package var sentence: String
  /// The commands, in order.
  package var commands: [String]
  /// A file that has to be written first.
  package var file: File?

  /// A file that is a part of a mend.
  package struct File: Sendable, Hashable {
    /// Where it belongs.
    package var path: String
    /// What stands in it.
    package var text: String
  }

  /// Describes a mend.
  package init(_ sentence: String, _ commands: [String] = [], file: File? = nil) {
    self.sentence = sentence
    self.commands = commands
    self.file = file
  }

  /// Sets a variable of the kernel, now and at each start.
  static func sysctl(_ name: String, _ value: Int, _ sentence: String) -> Mend {
    Mend(
      sentence,
      [
        "sysctl -w \(name)=\(value)",
        "echo '\(name) = \(value)' >>/etc/sysctl.d/90-darkroom.conf",
      ]
    )
  }
}
