// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests that the public API of the host libraries is the one that was reviewed.
@Suite struct PublicAPITests {
  /// The directories of the modules in `Sources`.
  private static let modules = ["Host/DarkroomHost", "Workshop/DarkroomWorkshop"]

  @Test(arguments: modules) func `equals the digest in API.txt`(module: String) throws {
    let found = try Self.declarations(module)
    let path = "\(PackageDirectory.path)/Sources/\(module)/API.txt"
    let text = try #require(try FileSystem.contents(path, limit: 1 << 20))
    let reviewed = String(decoding: text, as: UTF8.self)
    guard found != reviewed else { return }
    let new = "/tmp/\(FileSystem.lastComponent(module))-API.txt"
    try FileSystem.replaceContents(new, with: Array(found.utf8))
    Issue.record(
      """
      the public API differs from Sources/\(module)/API.txt; review the difference, and update the digest with:
      cp \(new) '\(path)'
      """
    )
  }

  @Test(arguments: modules) func `mentions no type of another module except DarkroomHost`(module: String)
    throws
  {
    for path in try Self.files(module) {
      let lines = try Self.lines(path)
      let isPublic = lines.contains { $0.hasPrefix("public ") }
      guard isPublic else { continue }
      let imports = lines.filter { $0.hasPrefix("package import") || $0.hasPrefix("public import") }
      #expect(imports.allSatisfy { $0 == "public import DarkroomHost" }, "\(path)")
    }
  }

  @Test func `reads declarations across lines, and skips bodies and comments`() {
    let source = """
      /// public struct Comment {}
      public struct Shown: Sendable {
        /// A value.
        public let value: Int
        let hidden: Int
        public init(
          value: Int
        ) throws(Failure) {
          self.value = value
        }
        public enum Choice { case one }
      }
      extension Shown {
        public var text: String { "\\(value)" }
        public var slow: Int {
          get async throws(Failure) { 1 }
        }
      }
      """
    #expect(
      APIScanner.declarations(source)
        == [
          "Shown: public struct Shown: Sendable", "Shown.Choice: case one",
          "Shown.Choice: public enum Choice",
          "Shown: public init(value: Int) throws(Failure)", "Shown: public let value: Int",
          "Shown: public var text: String", "Shown: public var slow: Int { get async throws(Failure) }",
        ].sorted()
    )
  }

  /// The declarations of the module, one per line, sorted.
  private static func declarations(_ module: String) throws -> String {
    var all: [String] = []
    for path in try files(module) {
      all += APIScanner.declarations(try lines(path).joined(separator: "\n"))
    }
    return all.sorted().map { "\($0)\n" }.joined()
  }

  private static func files(_ module: String) throws -> [String] {
    let directory = "\(PackageDirectory.path)/Sources/\(module)"
    return try FileSystem.names(in: directory).filter { !$0.hasPrefix(".") }.sorted().flatMap {
      folder throws -> [String] in
      let path = "\(directory)/\(folder)"
      guard try FileSystem.status(path)?.kind == .directory else {
        return folder.hasSuffix(".swift") ? [path] : []
      }
      return try FileSystem.names(in: path).filter { $0.hasSuffix(".swift") }.sorted().map { "\(path)/\($0)" }
    }
  }

  private static func lines(_ path: String) throws -> [Substring] {
    let bytes = try #require(try FileSystem.contents(path, limit: 1 << 20))
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  }
}
