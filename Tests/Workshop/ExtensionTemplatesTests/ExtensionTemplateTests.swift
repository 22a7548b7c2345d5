// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

@testable import ExtensionTemplates

@Suite struct ExtensionTemplateTests {
  /// A name from which an id is derived, and a name that is an id.
  private static let names = ["my-camera", "org.flowers.camera"]

  @Test(arguments: TemplateLanguage.allCases, names)
  func `a template has no placeholders and no license header of Darkroom`(
    language: TemplateLanguage,
    name: String
  ) throws {
    let files = ExtensionTemplate(try ProjectName(name), language, package: "/src").files
    #expect(Set(files.map(\.path)).count == files.count)
    for file in files {
      #expect(file.text.matches(of: /@[A-Z_]+@/).isEmpty, "\(file.path)")
      #expect(!file.text.contains("SPDX"), "\(file.path)")
      #expect(file.text.hasSuffix("\n") && !file.text.hasSuffix("\n\n"), "\(file.path)")
      #expect(file.text.hasPrefix("#!") == (file.mode == 0o755), "\(file.path)")
    }
  }

  @Test(arguments: TemplateLanguage.allCases) func `the README lists exactly the files of the template`(
    language: TemplateLanguage
  ) throws {
    let files = ExtensionTemplate(try ProjectName("camera"), language, package: "/src").files
    let readme = try #require(files.first { $0.path == "README.md" })
    let named = readme.text.matches(of: /(?m)^\| `([^`]+)` \|/).map { String($0.1) }
    // The README lists the directory of the Python package instead of its modules.
    let modules = "bundle/Extensions/Capture/darkroom/"
    let listed = files.map { $0.path.hasPrefix(modules) ? modules : $0.path }
    #expect(Set(named) == Set(listed).subtracting(["README.md", ".gitignore"]))
    #expect(named.count == Set(named).count)
    #expect(named.contains(modules) == (language == .python))
    #expect(readme.text.contains("\n./build\n") == language.isCompiled)
  }

  @Test func `a name determines id, title and directory`() throws {
    let plain = try ProjectName("my-camera2")
    #expect(plain.id == "org.example.my-camera2")
    #expect(plain.extensionID == "org.example.my-camera2.capture")
    #expect(plain.title == "My camera2")
    #expect(plain.directory == "my-camera2")
    let own = try ProjectName("org.flowers.camera")
    #expect(own.id == "org.flowers.camera")
    #expect(own.title == "Camera")
    #expect(own.directory == "org.flowers.camera")
  }

  @Test(
    arguments: [
      "", ".", "..", "a/b", "../a", "/a", "Camera", "my camera", "-a", "a-", "a..b", ".a", "1a", "a\n", "a\"",
      "ä",
      "@ID@", "a." + String(repeating: "b", count: 64), String(repeating: "a.", count: 124) + "a",
    ]
  )
  func `rejects an invalid project name with a fix`(name: String) {
    let problem = #expect(throws: ProjectNameError.self) { try ProjectName(name) }
    #expect(problem?.description.contains("; use a name such as camera") == true)
  }

  @Test func `substituted text is not expanded again`() {
    let text = TemplateRenderer(["A": "@B@", "B": "b"])
    #expect(text.render("@A@ @B@ @C@ a@b @\n@A@@B@\n") == "@B@ b @C@ a@b @\n@B@b\n")
  }

  @Test func `the path of the sources is escaped as one Swift string literal`() throws {
    let path = "/a \"b\\(c)\n\u{7}ä"
    let files = ExtensionTemplate(try ProjectName("camera"), .swift, package: path).files
    let manifest = try #require(files.first { $0.path == "Package.swift" })
    #expect(manifest.text.contains(#"path: "/a \"b\\(c)\u{a}\u{7}ä")"#), "\(manifest.text)")
  }

  /// The shell command that builds each language without the Swift package.
  private static let buildCommands = [
    (TemplateLanguage.c, "cc -std=c17 -Wall -Wextra -Werror -o run capture.c darkroom.c"),
    (.python, "mv capture.py run"), (.shell, "mv capture.sh run"),
  ]

  @Test(arguments: buildCommands) func `does not overwrite a frame that the host is showing`(
    language: TemplateLanguage,
    preparation: String
  ) throws {
    try runScenario("viewfinder", language, preparation)
  }

  // The shell template is excluded because it reads a frame again until the frame is complete.
  @Test(arguments: buildCommands.dropLast()) func `does not show a frame that the camera has overwritten`(
    language: TemplateLanguage,
    preparation: String
  ) throws {
    try runScenario("overwritten", language, preparation)
  }

  /// Runs an extension with the Python host, which is an independent implementation of the protocol.
  private func runScenario(_ scenario: String, _ language: TemplateLanguage, _ preparation: String) throws {
    let files = ExtensionTemplate(try ProjectName("camera"), language, package: "/src").files
    let capture = try #require(files.first { FileSystem.lastComponent($0.path).hasPrefix("capture.") })
    let directory = "/tmp/darkroom-template-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory)
    defer { try? FileSystem.removeTree(directory) }
    // The program, and the library or package next to it.
    let bundled = String(capture.path.dropLast(FileSystem.lastComponent(capture.path).count))
    let libraries = ["\(bundled)darkroom/", "\(bundled)darkroom."]
    for file in files where file.path == capture.path || libraries.contains(where: file.path.hasPrefix) {
      let path = "\(directory)/\(file.path.dropFirst(bundled.count))"
      try FileSystem.makeDirectories(FileSystem.directoryName(path))
      try FileSystem.replaceContents(path, with: Array(file.text.utf8))
    }
    let tests = "\(PackageDirectory.path)/Tests"
    try runShell(
      """
      cd '\(directory)' && chmod 0755 capture.* && \(preparation)
      /usr/bin/python3 -I '\(tests)/SDK/PluginTests/fake_host.py' \(scenario) ./run
      """
    )
  }
}
