// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Tests that authors of extensions and apps can use each Swift name that the documents contain.
@Suite(.waiting) struct PublicNameTests {
  /// The articles whose only subject is the Swift library. Other articles also name internal types.
  private static let articles = [
    "AddCameraControls", "BuildApps", "ShareAssets", "UseViews", "WriteExtensions",
  ].map { "Sources/Darkroom.docc/Guides/\($0).md" }

  /// The names that the package does not declare, with the owner of each name.
  private static let foreignNames = [
    "AVFoundation": "a module", "CaptureImage": "a module", "Darkroom": "the catalog",
    "DispatchQueue": "Dispatch",
    "Foundation": "a module",
    "FoundationEssentials": "a module", "LocalizedError": "Foundation", "LockedCameraCapture": "a module",
    "Observation": "a module", "RunLoop": "Foundation", "SessionContent": "a directory of containers",
    "SwiftUI": "a module", "Task": "Swift", "Timer": "Foundation", "UIKit": "a module",
  ]

  @Test func `each Swift name in the documents of the library is public`() throws {
    let names = try Self.publicNames()
    var used: Set<String> = []
    let catalogs = try SourceTree.files(below: "Sources/SDK", suffix: ".md").filter { $0.contains(".docc/") }
    for path in Self.articles + catalogs {
      let text = try SourceTree.prose(path)
      for match in text.matches(of: /`([A-Z]\w*[a-z]\w*)((?:\.[A-Za-z_]\w*)*)(?:\([^`)]*\))?`/) {
        used.insert(String(match.1))
        if Self.foreignNames[String(match.1)] != nil { continue }
        for name in [match.1] + match.2.split(separator: ".") {
          #expect(names.contains(String(name)), "\(path): \(match.0): \(name) is not public")
        }
      }
    }
    #expect(used.count > 80)
    #expect(Set(Self.foreignNames.keys).isSubset(of: used), "foreignNames has names that no document uses")
  }

  @Test func `the search tells public names from internal names (control)`() throws {
    let names = try Self.publicNames()
    #expect(names.isSuperset(of: ["AVCaptureSession", "startRunning", "latest", "makeUIViewController"]))
    #expect(names.isDisjoint(with: ["SessionRuntime", "ThreadCalls", "deliverFrame", "CameraPicker"]))
  }

  /// Returns the names that the Swift modules for extensions and apps declare: those after `public` or `open`,
  /// the requirements of public protocols, and the cases of enumerations.
  private static func publicNames() throws -> Set<String> {
    let declaration =
      /\b(?:actor|associatedtype|class|enum|func|let|protocol|struct|typealias|var)\s+`?(?!func|let|var)(\w+)/
    var names: Set<String> = []
    for path in try SourceTree.files(below: "Sources/SDK", suffix: ".swift") {
      var isInProtocol = false
      for line in try SourceTree.text(path).split(separator: "\n") {
        if line.hasPrefix("public protocol") { isInProtocol = true }
        if line.hasPrefix("}") { isInProtocol = false }
        if let name = line.prefixMatch(of: /\s*case ([a-z]\w*)/)?.1 { names.insert(String(name)) }
        guard isInProtocol || line.contains("public ") || line.contains("open ") else { continue }
        if let name = line.firstMatch(of: declaration)?.1 { names.insert(String(name)) }
      }
    }
    return names
  }
}
