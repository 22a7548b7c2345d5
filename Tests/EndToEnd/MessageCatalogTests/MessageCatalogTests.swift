// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the catalog of messages: the text that users read, from top to bottom, in `catalog.txt`.
@Suite struct MessageCatalogTests {
  private static let path = "\(PackageDirectory.path)/Tests/EndToEnd/MessageCatalogTests/catalog.txt"
  private static let declarations = Result { try Declarations() }

  @Test func `catalog.txt contains each message`() throws {
    let lines = MessageCatalog.lines(try Self.declarations.get().failures)
    let text = lines.joined(separator: "\n") + "\n"
    if CurrentProcess.environment("DARKROOM_UPDATE_CATALOG") == "1" {
      try FileSystem.replaceContents(Self.path, with: Array(text.utf8), mode: 0o644)
      return
    }
    let contents = try #require(try FileSystem.contents(Self.path, limit: 1 << 22))
    let written = String(decoding: contents, as: UTF8.self).split(
      separator: "\n",
      omittingEmptySubsequences: false
    ).map(String.init)
    let found = lines + [""]
    let difference = zip(written, found).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    guard let line = difference ?? (written.count == found.count ? nil : min(written.count, found.count))
    else { return }
    Issue.record(
      """
      \(Self.path):\(line + 1): the messages differ from the catalog
        in the file: \(written.indices.contains(line) ? written[line] : "(no line)")
        now: \(found.indices.contains(line) ? found[line] : "(no line)")
      read the new messages, and write them with: DARKROOM_UPDATE_CATALOG=1 swift test --filter MessageCatalog
      """
    )
  }

  @Test func `each case of a cataloged enumeration has a sample`() throws {
    let declarations = try Self.declarations.get()
    for type in MessageCatalog.types {
      guard let cases = type.catalogedCases else {
        let name = MessageCatalog.name(type)
        #expect(
          declarations.declaration(name)?.keyword != "enum",
          "\(name) is an enumeration: make it CaseSamples"
        )
        continue
      }
      let name = MessageCatalog.name(cases)
      let declaration = try #require(declarations.declaration(name), "\(name) is not declared in Sources")
      let found = MessageCatalog.caseNames(type)
      let missing = declaration.cases.filter { !found.contains($0) }
      #expect(missing.isEmpty, "\(name): add samples of \(missing.joined(separator: ", "))")
      let unknown = found.subtracting(declaration.cases).sorted()
      #expect(unknown.isEmpty, "\(name): has no case \(unknown.joined(separator: ", "))")
    }
  }

  @Test func `each type has samples, and each sample is in the switch of its type`() {
    for type in MessageCatalog.types {
      #expect(!MessageCatalog.caseNames(type).isEmpty, "\(MessageCatalog.name(type)) has no sample")
      guard let cases = type as? any CaseSamples.Type else { continue }
      let isComplete = MessageCatalog.isComplete(cases)
      #expect(isComplete, "\(MessageCatalog.name(type))")
    }
  }

  @Test func `each error type in Sources is in the catalog or a listed exception`() throws {
    let declarations = try Self.declarations.get()
    let cataloged = Set(MessageCatalog.types.flatMap { $0.catalogedErrors.map(MessageCatalog.name) })
    let errors = declarations.errors
    #expect(errors.count > 80, "found only \(errors.count) error types: is Sources formatted differently?")
    for error in errors where !cataloged.contains(error.name) && MessageCatalog.exceptions[error.name] == nil
    {
      Issue.record("\(error.place): \(error.name) is an error without samples: add it to the catalog")
    }
    let names = Set(errors.map(\.name))
    for (name, _) in MessageCatalog.exceptions {
      #expect(names.contains(name), "\(name) is an exception, but not an error type")
      #expect(!cataloged.contains(name), "\(name) is an exception, but has samples")
    }
  }
}
