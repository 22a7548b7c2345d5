// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import DarkroomWorkshop
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of new apps from templates.
@Suite struct AppTemplateTests {
  @Test(arguments: AppTemplate.Language.allCases)
  func `creates an app with all files of its template`(language: AppTemplate.Language) async throws {
    let scratch = try ScratchDirectory()
    let template = try AppTemplate("org.flowers.camera", in: language, sources: PackageDirectory.path)
    #expect(template.appID == "org.flowers.camera" && template.extensionID == "org.flowers.camera.capture")
    #expect(template.title == "Camera" && template.commands.last == "./test")
    let path = try await template.create(in: scratch.path)
    #expect(path == "\(scratch.path)/org.flowers.camera" && !template.files.isEmpty)
    for file in template.files {
      let text = try #require(try FileSystem.contents("\(path)/\(file.path)", limit: 1 << 22), "\(file.path)")
      #expect(String(decoding: text, as: UTF8.self) == file.text, "\(file.path)")
    }
    let package = template.files.first { $0.path == "Package.swift" }
    #expect((package?.text.contains(PackageDirectory.path) == true) == (language == .swift))
  }

  @Test func `rejects an invalid name, a missing source package and a directory that is not empty`()
    async throws
  {
    let scratch = try ScratchDirectory()
    let name = #expect(throws: HostError.self) { try AppTemplate("../camera", in: .shell) }
    #expect(name?.isArgument == true && name?.description.contains("../camera") == true)
    let sources = #expect(throws: HostError.self) {
      try AppTemplate("camera", in: .swift, sources: scratch.path)
    }
    #expect(sources?.isArgument == true && sources?.description.contains("Package.swift") == true)
    let template = try AppTemplate("camera", in: .shell)
    try await template.create(in: scratch.path)
    let again = await #expect(throws: HostError.self) { try await template.create(in: scratch.path) }
    #expect(again?.isArgument == true)
    let parent = await #expect(throws: HostError.self) {
      try await template.create(in: "\(scratch.path)/none")
    }
    #expect(parent?.failure?.errno == Errno.noSuchFile.rawValue)
  }
}
