// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives
internal import Policies
internal import SandboxPolicy

/// The texts of the documents that a check was about, to count columns in: the reader counts bytes, and SARIF UTF-16
/// code units.
struct CheckedTexts: Sendable {
  /// The lines of each document, by its source.
  private let lines: [String: [ArraySlice<UInt8>]]

  /// Reads the documents again; `files` are those that do not come with Darkroom.
  init(files: Set<String>, sources: Set<String>) {
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

  /// The column of a place in UTF-16 code units, from 1; nil if the text is gone or has changed.
  func column(_ origin: PolicyOrigin) -> Int? {
    let (line, column) = (origin.position.line - 1, origin.position.column - 1)
    guard let lines = lines[origin.source], lines.indices.contains(line), lines[line].count >= column else {
      return nil
    }
    return String(decoding: lines[line].prefix(column), as: UTF8.self).utf16.count + 1
  }
}
