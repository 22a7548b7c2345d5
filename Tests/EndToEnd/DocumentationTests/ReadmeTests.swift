// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Tests of the README's length, picture and layout.
@Suite(.waiting) struct ReadmeTests {
  @Test func `the README has at most 900 words`() throws {
    let words = try SourceTree.text("README.md").split { $0 == " " || $0 == "\n" }
    #expect(words.count <= 900)
  }

  @Test func `the README lists each architecture layer`() throws {
    let layers = try SourceTree.tableRows(in: "README.md", below: "## Build and test").compactMap(\.first)
    let folders = try SourceTree.names("Sources").filter { !$0.hasSuffix(".docc") }
    #expect(layers.sorted() == folders.map { "Sources/\($0)" })
  }

  @Test func `the picture of the demo is in the README, small enough, and contains no script`() throws {
    let path = "Sources/Darkroom.docc/Resources/demo.svg"
    #expect(try SourceTree.text("README.md").contains("](\(path))"))
    let picture = try SourceTree.text(path)
    #expect(picture.utf8.count <= 150_000)
    #expect(picture.hasPrefix("<svg "))
    #expect(!picture.contains("<script"))
  }
}
