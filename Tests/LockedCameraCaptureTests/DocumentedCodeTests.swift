// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import LockedCameraCapture
import Testing

extension ProcessSession {
  @MainActor @Suite struct DocumentedCodeTests {
    /// The text of a file of the package.
    private func text(_ path: String) throws -> String {
      let tests = FileSystem.directoryName(#filePath)
      let root = FileSystem.directoryName(FileSystem.directoryName(tests))
      return String(decoding: try FileSystem.contents("\(root)/\(path)") ?? [], as: UTF8.self)
    }

    @Test(arguments: ["Views", "WritingAnExtension"])
    func `the code of an article is the code that is compiled here`(article: String) throws {
      let document = try text("Sources/LockedCameraCapture/LockedCameraCapture.docc/\(article).md")
      let compiled = try text("Tests/LockedCameraCaptureTests/DocumentedCode.swift")
      let blocks = document.split(separator: "```swift\nimport LockedCameraCapture\n\n").dropFirst()
      #expect(blocks.count == 1)
      for block in blocks {
        let code = try #require(block.split(separator: "```").first)
        #expect(compiled.contains(code))
      }
    }

    @Test func `the view of the article draws its edge while locked, and answers a press`() async throws {
      try await conversation(preview: true) { host in
        try host.start()
        try host.startCamera()
        try host.answer(.captureSubscribe())
        try host.publish(luma: 60)
        #expect(try host.drawn(1).luma.first == PreviewColor.red.luma)
        try host.press()
        try host.expect(.log(.info, "frame 1"))
        try host.send(.notification(.lockChanged(.unlocked)))
        try host.send(.notification(.sceneChanged(SceneState(phase: .inactive))))
        try host.answer(.captureUnsubscribe)
        try host.expect(.log(.debug, "active, then inactive"))
        try host.publish(luma: 61)
        #expect(try host.drawn(2).luma.first == 61)
        try host.dismiss()
      } extension: { session in
        try CameraView(session: session).appear(in: session)
      }
    }
  }
}
