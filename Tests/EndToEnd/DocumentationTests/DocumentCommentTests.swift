// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Tests that each public declaration of the libraries has a doc comment.
@Suite(.waiting) struct DocumentCommentTests {
  @Test(arguments: [
    "SDK/Apple", "SDK/LockedCameraCapture", "SDK/CaptureImage", "Host/DarkroomHost",
    "Workshop/DarkroomWorkshop",
  ])
  func `every public declaration has a doc comment`(module: String) throws {
    var declarations = 0
    for path in try SourceTree.files(below: "Sources/\(module)", suffix: ".swift") {
      var comment = false
      for (index, line) in try SourceTree.text(path).split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let words = line.split(separator: " ")
        if words.first?.hasPrefix("///") == true {
          comment = true
        } else if words.contains("public"), words.first != "//", !words.contains("import") {
          declarations += 1
          #expect(comment, "\(path):\(index + 1) has no doc comment: \(line)")
          comment = false
        } else if words.first?.hasPrefix("@") != true {
          // An attribute can be between a doc comment and its declaration.
          comment = false
        }
      }
    }
    #expect(declarations > 3)
  }
}
