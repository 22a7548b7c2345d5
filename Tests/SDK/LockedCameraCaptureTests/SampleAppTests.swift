// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@MainActor @Suite(.timeLimit(.minutes(20))) struct SampleAppTests {
  /// The name of a session.
  static let session = "5b0f3b0e-6a0c-4f0b-9c53-0c0e8b2f7a11"
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("one", to: "container/SessionContent/\(Self.session)/photo-1.jpg")
    try directory.write("two", to: "container/SessionContent/\(Self.session)/deep/photo-2.jpg")
  }

  /// Starts the app, and redirects its output to a file.
  private func start(_ output: String = "out") throws -> ChildProgram {
    let (program, path) = (try ChildProgram.path("darkroom-sample-app"), directory.path)
    return try ChildProgram(
      "exec '\(program)' '\(path)/container' '\(path)/library' >'\(path)/\(output)'"
    )
  }

  private func run() throws -> Int32 { try start().wait() }

  private var remainingContent: [String] {
    get throws { try FileSystem.names(in: "\(directory.path)/container/SessionContent") }
  }

  private func names(_ path: String) throws -> [String] {
    try FileSystem.names(in: "\(directory.path)/\(path)").sorted()
  }

  @Test func `copies a session completely and removes its directory`() throws {
    #expect(try run() == 0)
    #expect(try directory.text("library/\(Self.session)/photo-1.jpg") == "one")
    #expect(try directory.text("library/\(Self.session)/deep/photo-2.jpg") == "two")
    #expect(try names("library") == [".ledger", Self.session])
    #expect(try names("library/.ledger") == ["\(Self.session).imported"])
    #expect(try remainingContent == [])
    #expect(
      try directory.text("out")
        == "imported \(directory.path)/library/\(Self.session)\n1 session imported\n"
    )
  }

  @Test func `does not import a session again`() throws {
    #expect(try run() == 0)
    try FileSystem.unlink("\(directory.path)/library/\(Self.session)/photo-1.jpg")
    // The state after a crash between the ledger entry and the removal.
    try directory.write("one", to: "container/SessionContent/\(Self.session)/photo-1.jpg")
    #expect(try run() == 0)
    #expect(try directory.text("library/\(Self.session)/photo-1.jpg") == nil)
    #expect(try directory.text("out") == "0 sessions imported\n")
    #expect(try remainingContent == [])
  }

  @Test func `restarts an import that an interrupted run left incomplete`() throws {
    try directory.write("half", to: "library/.ledger/\(Self.session).incoming/photo-1.jpg")
    try directory.write("half", to: "library/.ledger/\(Self.session).incoming/stale.jpg")
    try directory.write("", to: "library/.ledger/\(Self.session).claim")
    #expect(try run() == 0)
    #expect(try directory.text("library/\(Self.session)/photo-1.jpg") == "one")
    #expect(try directory.text("library/\(Self.session)/stale.jpg") == nil)
    #expect(try names("library/.ledger") == ["\(Self.session).imported"])
    #expect(try remainingContent == [])
  }

  @Test func `only marks a session as imported if an interrupted run has already moved it into place`() throws
  {
    try directory.write("whole", to: "library/\(Self.session)/photo-1.jpg")
    #expect(try run() == 0)
    #expect(try directory.text("library/\(Self.session)/photo-1.jpg") == "whole")
    #expect(try names("library/\(Self.session)") == ["photo-1.jpg"])
    #expect(try names("library/.ledger") == ["\(Self.session).imported"])
    #expect(try remainingContent == [])
  }

  @Test func `imports each session once if several processes run concurrently`() throws {
    for number in 0..<20 {
      let name = "5b0f3b0e-6a0c-4f0b-9c53-0000000000\(10 + number)"
      try directory.write("\(number)", to: "container/SessionContent/\(name)/photo.jpg")
    }
    let programs = try (0..<4).map { try start("out-\($0)") }
    for program in programs { #expect(program.wait() == 0) }
    let lines = try (0..<4).flatMap { try (directory.text("out-\($0)") ?? "").split(separator: "\n") }
    let imported = lines.filter { $0.hasPrefix("imported ") }
    #expect(imported.count == 21 && Set(imported).count == 21)
    #expect(try names("library").count == 22)
    #expect(try remainingContent == [])
  }

  @Test func `skips and reports a symbolic link`() throws {
    let link = "\(directory.path)/container/SessionContent/\(Self.session)/link"
    #expect(try ChildProgram("ln -s /etc/passwd '\(link)'").wait() == 0)
    #expect(try run() == 0)
    #expect(try FileSystem.status("\(directory.path)/library/\(Self.session)/link") == nil)
    #expect(try directory.text("out")?.contains("skipped \(link): symbolic link") == true)
  }
}
