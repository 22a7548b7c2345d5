// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests that links and paths in the documents exist.
@Suite(.waiting) struct LinkTests {
  @Test func `each article link resolves in its catalog, and each front page links all articles`()
    throws
  {
    let articles = try SourceTree.files(below: "Sources", suffix: ".md").filter { $0.contains(".docc/") }
    for path in articles {
      let catalog = FileSystem.directoryName(path)
      let module = catalog.split(separator: "/")[2]
      for link in try SourceTree.text(path).matches(of: /<doc:([A-Za-z]+)>/) {
        #expect(articles.contains("\(catalog)/\(link.1).md"), "\(path): \(link.0)")
      }
      let front = "\(catalog)/\(module).md"
      let name = path.dropFirst(catalog.count + 1).dropLast(".md".count)
      let text = try SourceTree.text(front)
      #expect(path == front || text.contains("<doc:\(name)>"), "\(front) has no link to \(name)")
    }
  }

  @Test func `each source path that the README names exists`() throws {
    let paths = try SourceTree.text("README.md").matches(
      of: /`((Policies|Plugins|Sources|Tests)(\/[A-Za-z.]+)*)`/
    )
    #expect(paths.count > 20)
    for path in paths {
      let status = try FileSystem.status("\(SourceTree.path)/\(path.1)")
      #expect(status != nil, "there is no \(path.1)")
    }
  }
}
