// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the prose check (`.ci/prose`), each with a copy of the check and a small tree.
@Suite(.waiting) struct ProseTests {
  /// Sentences that the check must find: the file, its text, the line of the finding, and the phrase.
  private static let planted: [(file: String, text: String, line: Int, phrase: String)] = [
    ("README.md", "# Title\n\nThe host is ready, and\nnobody has the file.", 4, "nobody has the file"),
    ("Guide.md", "- First\n- What the host shows.", 2, "What the host shows"),
    ("A.swift", "/// Returns the file.\n/// Whoever opens the file reads it.\nlet a = 1", 2, "Whoever opens"),
    ("B.swift", "let a = 1\nlet b = \"the path is no directory\"", 2, "is no directory"),
    ("C.swift", "@Test func `the session goes on without a camera`() {}", 1, "goes on without a camera"),
    ("D.swift", "let a = 1  // the process is gone", 1, "is gone"),
    ("Child.c", "/* The child\n   hands over the pipe. */", 2, "hands over the pipe"),
    ("build.sh", "#!/bin/sh\n# How the program is built.\nmake", 2, "How the program is built"),
    ("tool", "#!/bin/sh\nmake\n# The person runs the tool.", 3, "The person"),
    ("read.py", "def f():\n    \"\"\"Reads the file anew.\"\"\"", 2, "anew"),
    ("a.schema.json", "{\n\"description\": \"The key stands in the file.\"\n}", 2, "stands in the file"),
    ("main.c.template", "int a;\n// Where the pictures go.", 2, "Where the pictures go"),
  ]

  /// Texts that the check must accept: code, quotations, questions and names.
  private static let accepted: [(file: String, text: String)] = [
    (
      "README.md",
      "# What it does\n\nRun `mend`. Who reads \"nobody\"? The host reports \"the file is gone\"."
    ),
    (
      "Guide.md",
      "```\nnobody goes on\n```\n\nThere is no camera. The host exits before the launch of the session."
    ),
    (
      "Plan.md",
      "The planner resolves the paths of a policy, and creates the root of a session from read-only mounts."
    ),
    ("A.swift", "/// Returns the ``whoever`` value.\nlet nobody = \"mend\""),
  ]

  @Test func `reports each planted phrase with its file and line, and fails`() throws {
    let copy = try TemporaryCopy()
    for (file, text, _, _) in Self.planted { try copy.write(text, to: file) }
    let output = try copy.output(of: "! .ci/prose --all")
    for (file, _, line, phrase) in Self.planted {
      let start = "\(file):\(line): '\(phrase)"
      #expect(
        output.contains { $0.lowercased().hasPrefix(start.lowercased()) },
        "\(start): \(output.joined(separator: "\n"))"
      )
    }
  }

  @Test func `accepts code, quotations and questions`() throws {
    let copy = try TemporaryCopy()
    for (file, text) in Self.accepted { try copy.write(text, to: file) }
    let output = try copy.output(of: ".ci/prose --all")
    #expect(output.contains { $0.hasPrefix("0 phrases in ") }, "\(output.joined(separator: "\n"))")
  }

  @Test func `fails if there are too many pro-forms, and rejects unknown arguments`() throws {
    let copy = try TemporaryCopy()
    try copy.write("They use it for that one, which this one has.", to: "README.md")
    let output = try copy.output(of: "! .ci/prose")
    #expect(output.contains { $0.hasPrefix("7 pro-forms in 10 words") }, "\(output.joined(separator: "\n"))")
    let message = try copy.output(of: "! .ci/prose --al 2>&1")
    #expect(message == [".ci/prose: '--al': neither a path nor --all"])
  }

  /// A temporary directory with the check and without other files.
  private final class TemporaryCopy {
    let path = "/tmp/darkroom-prose-\(Randomness.hexadecimal(bytes: 8))"

    init() throws {
      try runShell("mkdir -p '\(path)/.ci' && cp '\(SourceTree.path)/.ci/prose' '\(path)/.ci'")
    }

    deinit { try? FileSystem.removeTree(path) }

    /// Writes a text and a line break to a file.
    func write(_ text: String, to file: String) throws {
      try FileSystem.replaceContents("\(path)/\(file)", with: Array("\(text)\n".utf8), mode: 0o644)
    }

    /// Returns the lines that a shell command prints.
    func output(of command: String) throws -> [String] {
      try runShell("cd '\(path)' && { \(command); } >.said")
      let contents = try #require(try FileSystem.contents("\(path)/.said"))
      return String(decoding: contents, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }
}
