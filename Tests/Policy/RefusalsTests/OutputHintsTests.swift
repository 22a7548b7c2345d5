// SPDX-License-Identifier: Apache-2.0

import Refusals
import SandboxPolicy
import Testing

@Suite struct OutputHintsTests {
  /// Returns the hints for an output.
  private static func hints(_ output: String) throws -> [PathExplanation] {
    OutputHints.hints(output, root: PathExplanationTests.root, policy: try RefusalFixture.policy("capture")) {
      PathExplanationTests.files[$0] ?? .absent
    }
  }

  /// Error messages of programs, with the path and the kind of access.
  static let lines: [(line: String, path: String, use: FileAccess)] = [
    ("cat: /etc/hosts: No such file or directory", "/etc/hosts", .read),
    ("sh: 1: cannot create /usr/share/x: Read-only file system", "/usr/share/x", .write),
    ("FileNotFoundError: [Errno 2] No such file or directory: '/opt/out'", "/opt/out", .read),
    ("touch: cannot touch '/usr/share/x': Permission denied", "/usr/share/x", .write),
    ("ls: cannot access \u{2018}/etc/hosts\u{2019}: No such file or directory", "/etc/hosts", .read),
    ("open(\"/proc/self/mem\"): Permission denied", "/proc/self/mem", .write),
    ("sh: 1: /session/tool: Permission denied", "/session/tool", .execute),
    ("model=/opt/out,fast: No such file or directory", "/opt/out", .read),
  ]

  @Test(arguments: lines)
  func `explains a path in a C library error message`(
    _ sample: (line: String, path: String, use: FileAccess)
  ) throws {
    let hints = try Self.hints("first\n\(sample.line)\nlast")
    #expect(hints.map(\.path) == [sample.path])
    #expect(hints.map(\.use) == [sample.use])
    #expect(hints.allSatisfy { $0.verdict == .refused })
  }

  @Test(arguments: [
    "", "all is well: /etc/hosts", "/usr/share/x: No such file or directory",
    "relative: No such file or directory",
    "/session/x: No such file or directory", "No such file or directory", "/: Permission denied /",
  ])
  func `gives no hint if nothing was refused or no path is named`(output: String) throws {
    #expect(try Self.hints(output) == [])
  }

  @Test func `explains each path once and at most three paths`() throws {
    let line = "cat: /opt/a: No such file or directory\n"
    #expect(try Self.hints(line + line).count == 1)
    let many = (0..<50).map { "cat: /opt/\($0): No such file or directory\n" }.joined()
    #expect(try Self.hints(many).map(\.path) == ["/opt/0", "/opt/1", "/opt/2"])
  }
}
