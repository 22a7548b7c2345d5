// SPDX-License-Identifier: Apache-2.0

import OSLog
import Testing
import UniformTypeIdentifiers

/// Messages for the log, and types of files.
struct LogMessageTests {
  @Test func `shows numbers, and hides other values unless they are public`() {
    let name = "Ada"
    let message: OSLogMessage = "\(3) of \(true), \(name), \(name, privacy: .public), \(4, privacy: .private)"
    #expect(message.text == "3 of true, <private>, Ada, <private>")
    #expect(("100 %" as OSLogMessage).text == "100 %")
  }

  @Test func `finds types by extension and MIME type, and knows their kinds`() throws {
    let jpeg = try #require(UTType(filenameExtension: "JPG"))
    #expect(jpeg == .jpeg && UTType(mimeType: "image/jpeg") == jpeg && UTType("public.jpeg") == jpeg)
    #expect(jpeg.conforms(to: .image) && jpeg.conforms(to: .data) && !jpeg.conforms(to: .movie))
    #expect(UTType.quickTimeMovie.preferredFilenameExtension == "mov")
    #expect(UTType(filenameExtension: "xyz") == nil)
  }
}
