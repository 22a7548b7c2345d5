// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests that run the commands and write the files of each document, in order.
@Suite(.timeLimit(.minutes(20)), .waitingFirst) struct CommandLineTests {
  /// Shell commands that create a copy of the source tree's top directory for the generated files.
  private static let preparation = """
    mkdir -p "$scratch/darkroom/.build" "$scratch/home" "$scratch/tmp"
    cd "$scratch/darkroom"
    for name in Package.swift Plugins Policies Sources Tests README.md .ci; do ln -s "$tree/$name" "$name"; done
    ln -s "$programs" .build/debug
    unset XDG_STATE_HOME
    export HOME="$scratch/home" TMPDIR="$scratch/tmp" DARKROOM_ROOT="$scratch/state" PATH="$programs:$PATH"
    """

  @Test(arguments: try SourceTree.documents())
  func `running the commands of a document has the documented exit codes and outputs`(path: String) throws {
    let document = try SourceTree.document(path)
    guard !document.steps.isEmpty else { return }
    let scratch = "/tmp/darkroom-documents-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(scratch)
    // Directories of installed copies in the state root are writable only by their owner; removeTree handles
    // them, too.
    defer { try? FileSystem.removeTree(scratch) }
    let script = "\(scratch)/script"
    try FileSystem.replaceContents(script, with: Array(try Self.script(for: document, in: scratch).utf8))
    try runShell("timeout 200 sh '\(script)'")
    for (line, documented) in document.outputs {
      let file = try FileSystem.contents("\(scratch)/output-\(line)", limit: 1 << 22)
      let output = String(decoding: try #require(file), as: UTF8.self)
      #expect(DocumentedOutput.matches(documented, output), "\(path):\(line): the output is\n\(output)")
    }
  }

  private static func script(for document: MarkdownDocument, in scratch: String) throws -> String {
    let programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    let variables = "scratch='\(scratch)' programs='\(programs)' tree='\(SourceTree.path)'\nset -e\n"
    let steps = document.steps.map { line, step in
      let output = document.outputs[line] == nil ? nil : "\(scratch)/output-\(line)"
      return shell(step, at: "\(document.path):\(line)", output: output)
    }
    return variables + preparation + "\nset +e\n" + steps.joined()
  }

  /// Returns a step as shell code. The output of a command is printed, and also written to a file if one is given.
  private static func shell(_ step: MarkdownDocument.Step, at location: String, output: String?) -> String {
    switch step {
    case .file(let path, let text):
      let end = "END OF \(path)"
      return "mkdir -p \"$(dirname '\(path)')\"\ncat >'\(path)' <<'\(end)'\n\(text)\(end)\n"
    case .command(let command, let exitCode):
      let run = CommandStandIn.all.first { $0.command == command }?.standIn ?? command
      let quoted = "\(location): \(command)".split(separator: "'", omittingEmptySubsequences: false).joined(
        separator: #"'\''"#
      )
      // The commands of a group run in the same shell, so that `cd` takes effect.
      let redirected = output.map { "{ \(run)\n} >'\($0)' 2>&1" } ?? run
      return """
        printf '%s\\n' '\(quoted)'
        \(redirected)
        status=$?
        \(output.map { "cat '\($0)'" } ?? ":")
        if [ $status -ne \(exitCode) ]; then echo "\(location): it ended with $status, not \(exitCode)"; exit 1; fi

        """
    }
  }

  @Test func `each command with a stand-in appears in a document, and the evidence for it exists`() throws {
    let documents = try SourceTree.documents().map(SourceTree.document)
    for standIn in CommandStandIn.all {
      let isUsed = documents.contains { document in
        document.steps.contains { $0.step == .command(standIn.command, exitCode: 0) }
      }
      #expect(isUsed, "no document has the command: \(standIn.command)")
      let evidence = try SourceTree.text(standIn.evidence.path)
      #expect(evidence.contains(standIn.evidence.text), "\(standIn.command): \(standIn.reason)")
    }
  }

  @Test func `commands that build or install software have a stand-in and are not run`() throws {
    let replacedCommands = Set(CommandStandIn.all.map(\.command))
    for path in try SourceTree.documents() {
      for (line, step) in try SourceTree.document(path).steps {
        guard case .command(let command, _) = step, !replacedCommands.contains(command) else { continue }
        let words = command.split(separator: " ")
        #expect(
          !words.contains { ["swift", "apt", "apt-get", "sudo", ".ci/setup"].contains($0) },
          "\(path):\(line)"
        )
      }
    }
  }

  @Test func `the Swift extension in the tutorial is Snapshot with another type name`() throws {
    let code = try Self.code("Plugins/Snapshot/Snapshot.swift")
    let shown = try Self.shown("Shutter.swift", in: "Sources/Darkroom.docc/Tutorials/SwiftExtension.md")
    #expect(shown == [code.replacing("struct Snapshot:", with: "struct Shutter:")])
  }

  @Test func `the program in the tutorial of the host library is HostDemo with another name`() throws {
    let code = try Self.code("Plugins/HostDemo/HostDemo.swift")
    let shown = try Self.shown("Kiosk.swift", in: "Sources/Darkroom.docc/Tutorials/EmbedHost.md")
    let renamed = code.replacing("struct HostDemo", with: "struct Kiosk")
    #expect(shown == [renamed.replacing("darkroom-host-demo STATE", with: "Kiosk STATE")])
  }

  @Test(arguments: [
    ("Tutorials/HostViewfinder.md", "Plugins/ViewfinderDemo", 5),
    ("Guides/ShareCode.md", "Plugins/LockScreenCamera", 9),
  ])
  func `each Swift excerpt in an article on an example is part of the example`(
    article: String,
    example: String,
    count: Int
  ) throws {
    let sources = try SourceTree.files(below: example, suffix: ".swift").map(SourceTree.text)
    let document = try SourceTree.document("Sources/Darkroom.docc/\(article)")
    let excerpts = document.blocks.filter { $0.language == "swift" }
    #expect(excerpts.count >= count)
    for excerpt in excerpts {
      let text = Self.unindented(excerpt.lines.joined(separator: "\n"))
      #expect(sources.contains { Self.unindented($0).contains(text) }, "\(text)")
    }
  }

  /// Returns a text without the spaces at the start of its lines.
  private static func unindented(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in line.drop { $0 == " " } }.joined(separator: "\n")
  }

  /// Returns the contents of the files with a name that a document writes.
  private static func shown(_ name: String, in document: String) throws -> [String] {
    try SourceTree.document(document).steps.compactMap { _, step in
      guard case .file(let path, let text) = step, path.hasSuffix("/\(name)") else { return nil }
      return text
    }
  }

  /// Returns the text of a source file after its license line.
  private static func code(_ path: String) throws -> String {
    try SourceTree.text(path).split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).joined(
      separator: "\n"
    )
  }
}
