// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the code and the picture in the tutorial of the camera kiosk.
@Suite(.waiting) struct KioskTutorialTests {
  private static let tutorial = "Sources/Darkroom.docc/Tutorials/BuildKiosk.md"

  /// Returns the lines of a text without indentation.
  private func unindented(_ lines: [String]) -> [String] {
    lines.map { line in String(line.drop { $0 == " " }) }
  }

  @Test func `the Python code in the tutorial is that of the kiosk`() throws {
    let files = try SourceTree.files(below: "Plugins/Kiosk", suffix: ".py")
    let text = try files.map { try SourceTree.text($0) }.joined()
    let code = unindented(text.split(separator: "\n").map(String.init)).joined(separator: "\n")
    let blocks = try SourceTree.document(Self.tutorial).blocks.filter { $0.language == "python" }
    #expect(blocks.count >= 5)
    for block in blocks {
      #expect(code.contains(unindented(block.lines).joined(separator: "\n")), "\(block.lines)")
    }
  }

  @Test func `the picture of the kiosk is small enough`() throws {
    let path = "\(SourceTree.path)/Sources/Darkroom.docc/Resources/kiosk.png"
    let bytes = try #require(try FileSystem.contents(path, limit: 1 << 20))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(bytes.count <= 150_000)
  }
}
