// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives
internal import Policies
package import SandboxPolicy

/// The texts of the checked documents, from which columns are converted: the parser counts bytes, and SARIF
/// counts UTF-16 code units.
package struct CheckedTexts: Sendable {
  /// The lines of each document. The key is the document's source.
  private let lines: [String: [ArraySlice<UInt8>]]

  /// Reads the documents again. `files` are the sources that are not shipped with Darkroom.
  package init(files: Set<String>, sources: Set<String>) {
    var lines: [String: [ArraySlice<UInt8>]] = [:]
    for source in sources {
      let text =
        files.contains(source)
        ? try? FileSystem.contents(source, limit: 1 << 20)
        : ShippedPolicies.texts.first { $0.source == source }?.text
      lines[source] = text?.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }
    self.lines = lines
  }

  /// Returns a column in UTF-16 code units, counted from 1, or `nil` if the text was removed or changed.
  package func column(_ origin: PolicyOrigin) -> Int? {
    let (line, column) = (origin.position.line - 1, origin.position.column - 1)
    guard let lines = lines[origin.source], lines.indices.contains(line), lines[line].count >= column else {
      return nil
    }
    return String(decoding: lines[line].prefix(column), as: UTF8.self).utf16.count + 1
  }
}
