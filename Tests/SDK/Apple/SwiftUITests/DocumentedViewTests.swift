// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

@Suite struct DocumentedViewTests {
  @Test func `compiles the code of the article`() throws {
    func text(_ path: String) throws -> String {
      String(decoding: try FileSystem.contents("\(PackageDirectory.path)/\(path)") ?? [], as: UTF8.self)
    }
    let article = try text("Sources/Darkroom.docc/Guides/UseSwiftUI.md")
    let compiled = try text("Tests/SDK/Apple/SwiftUITests/DocumentedView.swift")
    let code = try #require(
      article.split(separator: "```swift\n").dropFirst().first?.split(separator: "```").first
    )
    #expect(compiled.hasSuffix(code))
  }
}
