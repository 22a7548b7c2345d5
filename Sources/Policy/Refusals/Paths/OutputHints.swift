// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// A heuristic that finds refused paths in the last output of an extension.
///
/// Programs report failures in many formats. The heuristic looks only for an absolute path in a line with an
/// error message of the C library. Callers must present a hint as a guess.
package enum OutputHints {
  /// The maximum number of hints.
  private static let maximumHints = 3

  /// The error messages of the C library, and the accesses that may have failed, with the most likely first.
  private static let errnoMessages: [(text: String, uses: [FileAccess])] = [
    ("No such file or directory", [.read]), ("Read-only file system", [.write]),
    ("Permission denied", [.read, .write, .execute]),
  ]

  /// Returns an explanation for each path in the output that the sandbox refuses.
  package static func hints(
    _ output: String,
    root: RootModel,
    policy: ResolvedPolicy,
    host: (String) -> HostFile
  ) -> [PathExplanation] {
    var hints: [PathExplanation] = []
    for line in output.split(whereSeparator: \.isNewline) {
      for sentence in errnoMessages where line.contains(sentence.text) {
        for path in paths(in: line)
        where !hints.contains(where: { $0.path == UntrustedText.unquoted(path, limit: 240) }) {
          let explained = sentence.uses.map {
            PathExplanation(path, $0, root: root, policy: policy, host: host)
          }
          // A failure that no layer causes, such as a file that the host lacks, needs no hint: the program's
          // message explains it.
          if let hint = explained.first(where: { !$0.layers.isEmpty && $0.verdict == .refused }) {
            hints.append(hint)
          }
          if hints.count == maximumHints { return hints }
        }
      }
    }
    return hints
  }

  /// Returns the absolute paths in a line, which are delimited by spaces, quotes and other punctuation.
  static func paths(in line: Substring) -> [String] {
    line.split { $0.isWhitespace || "\"'`‘’“”()[]{}<>,;:=|".contains($0) }
      .map(String.init)
      .filter { $0.hasPrefix("/") && $0.count > 1 && $0.utf8.count < 4096 }
  }
}
