// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// Guesses from an extension's last words which paths it was refused.
///
/// Programs write where and why they failed in many ways, so this looks only for an absolute path in a line with one of
/// the C library's sentences. Whoever shows a hint has to say that it is a guess.
package enum OutputHints {
  /// How many are given.
  private static let most = 3

  /// What the C library says, and what may have been wanted, the likeliest first.
  private static let sentences: [(text: String, uses: [FileUse])] = [
    ("No such file or directory", [.read]), ("Read-only file system", [.write]),
    ("Permission denied", [.read, .write, .execute]),
  ]

  /// An explanation for each path that would be refused, each once.
  package static func hints(
    _ output: String,
    root: RootModel,
    policy: ResolvedPolicy,
    host: (String) -> HostFile
  ) -> [PathExplanation] {
    var hints: [PathExplanation] = []
    for line in output.split(whereSeparator: \.isNewline) {
      for sentence in sentences where line.contains(sentence.text) {
        for path in paths(in: line)
        where !hints.contains(where: { $0.path == UntrustedText.word(path, limit: 240) }) {
          let explained = sentence.uses.map {
            PathExplanation(path, $0, root: root, policy: policy, host: host)
          }
          // What no layer refuses is the host's own doing, and what the program says of it is enough.
          if let hint = explained.first(where: { !$0.layers.isEmpty && $0.verdict == .refused }) {
            hints.append(hint)
          }
          if hints.count == most { return hints }
        }
      }
    }
    return hints
  }

  /// The absolute paths in a line; one begins after a space, a quote or the like, and ends before one.
  static func paths(in line: Substring) -> [String] {
    line.split { $0.isWhitespace || "\"'`‘’“”()[]{}<>,;:=|".contains($0) }
      .map(String.init)
      .filter { $0.hasPrefix("/") && $0.count > 1 && $0.utf8.count < 4096 }
  }
}
