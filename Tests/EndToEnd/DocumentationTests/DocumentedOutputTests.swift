// SPDX-License-Identifier: Apache-2.0

import Testing

/// Tests of the comparison of outputs, and of the marks for outputs in documents.
@Suite struct DocumentedOutputTests {
  private static let output =
    "captured  3 files, 45585 bytes\n\n  photo-1.jpg  15195 bytes\n  photo-2.jpg  9 bytes\n"

  @Test(arguments: [
    ["captured 1 files, 1 bytes", "  photo-0.jpg  1 bytes", "  photo-0.jpg  1 bytes"],
    ["captured  3 files, …", "…"],
    ["…", "…1.jpg … bytes", "…"],
    ["…"],
  ])
  func `accepts other numbers and column widths, and any text instead of an ellipsis`(documented: [String]) {
    #expect(DocumentedOutput.matches(documented, Self.output))
  }

  @Test(arguments: [
    [],
    ["captured  3 files, 45585 bytes"],
    ["captured  3 files, 45585 bytes", "photo-1.png 15195 bytes", "…"],
    ["captured  3 files", "…"],
    ["photo-1.jpg 15195 bytes", "…", "captured 3 files, 45585 bytes", "…"],
    ["…", "photo-1.jpg … bytes … bytes", "…"],
  ])
  func `rejects missing lines, additional lines and other words`(documented: [String]) {
    #expect(!DocumentedOutput.matches(documented, Self.output))
  }

  @Test func `reads the exit code and the output of a marked block`() {
    let text = """
      <!-- exit 1, output -->
      ```console
      $ first
      one
      two
      $ second
      ```

      ```console
      $ third
      not compared
      ```
      """
    let document = MarkdownDocument(path: "example.md", text: text)
    #expect(
      document.steps.map(\.step) == [
        .command("first", exitCode: 1), .command("second", exitCode: 1), .command("third", exitCode: 0),
      ]
    )
    #expect(document.outputs == [3: ["one", "two"], 6: []])
  }
}
