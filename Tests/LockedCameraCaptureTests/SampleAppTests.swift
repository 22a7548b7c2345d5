// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@MainActor @Suite(.timeLimit(.minutes(10))) struct SampleAppTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("one", to: "container/SessionContent/AAAA/photo-1.jpg")
    try directory.write("two", to: "container/SessionContent/AAAA/deep/photo-2.jpg")
  }

  private func run() throws -> Int32 {
    let (program, path) = (try ChildProgram.path("darkroom-sample-app"), directory.path)
    return try ChildProgram("exec '\(program)' '\(path)/container' '\(path)/library' >'\(path)/out'").wait()
  }

  private var left: [String] {
    get throws { try FileSystem.names(in: "\(directory.path)/container/SessionContent") }
  }

  @Test func `a session is copied whole, and its directory is gone`() throws {
    #expect(try run() == 0)
    #expect(try directory.text("library/AAAA/photo-1.jpg") == "one")
    #expect(try directory.text("library/AAAA/deep/photo-2.jpg") == "two")
    #expect(try directory.text("library/imported") == "AAAA\n")
    #expect(try left == [])
    #expect(
      try directory.text("out") == "imported \(directory.path)/library/AAAA\n1 session imported\n"
    )
  }

  @Test func `a session that was imported is never imported again`() throws {
    #expect(try run() == 0)
    try FileSystem.unlink("\(directory.path)/library/AAAA/photo-1.jpg")
    // As after a crash between the ledger and the removal.
    try directory.write("one", to: "container/SessionContent/AAAA/photo-1.jpg")
    #expect(try run() == 0)
    #expect(try directory.text("library/AAAA/photo-1.jpg") == nil)
    #expect(try directory.text("library/imported") == "AAAA\n")
    #expect(try left == [])
  }

  @Test func `what an interrupted run has left is begun anew or finished`() throws {
    try directory.write("half", to: "library/.incoming-AAAA/photo-1.jpg")
    try directory.write("half", to: "library/AAAA/stale.jpg")
    try directory.write("old", to: "container/SessionContent/.removing-BBBB/photo.jpg")
    #expect(try run() == 0)
    #expect(try directory.text("library/AAAA/photo-1.jpg") == "one")
    #expect(try directory.text("library/AAAA/stale.jpg") == nil)
    #expect(try FileSystem.names(in: "\(directory.path)/library") == [".lock", "AAAA", "imported"])
    #expect(try left == [])
  }

  @Test func `a symbolic link is skipped and named`() throws {
    let link = "\(directory.path)/container/SessionContent/AAAA/link"
    #expect(try ChildProgram("ln -s /etc/passwd '\(link)'").wait() == 0)
    #expect(try run() == 0)
    #expect(try FileSystem.status("\(directory.path)/library/AAAA/link") == nil)
    #expect(try directory.text("out")?.contains("skipped \(link): symbolic link") == true)
  }
}
