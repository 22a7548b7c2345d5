// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import LinuxPrimitives
import SandboxPolicy
import Testing

@Suite struct FinderTests {
  @Test func `a policy is found by name, and its digest is that of its documents`() throws {
    let capture = try PolicyFinder.find("capture")
    #expect(capture.policy.chain == ["capture", "base"])
    #expect(capture.digest.hasPrefix("sha256:"))
    #expect(capture.digest != (try PolicyFinder.find("base")).digest)
  }

  @Test func `a policy of one's own can extend a shipped one`() throws {
    let path = "/tmp/darkroom-policy-\(Randomness.hexadecimal(bytes: 6)).json"
    defer { try? FileSystem.unlink(path) }
    let text = #"{"name": "mine", "description": "Mine.", "extends": "capture", "limits": {"processes": 7}}"#
    try FileSystem.replaceContents(path, with: Array(text.utf8))
    let found = try PolicyFinder.find(path)
    #expect(found.policy.limits.processes == 7)
    #expect(found.policy.chain == ["mine", "capture", "base"])
  }

  @Test func `a policy that does not exist is answered with those that do`() {
    let error = #expect(throws: PolicyFindingError.self) { try PolicyFinder.find("lax") }
    #expect(
      error?.description
        == "there is no policy \"lax\"; name one of base, capture, strict, or the path of a document"
    )
  }

  @Test func `a program that the policy shows runs where it lies, any other as a single file`() throws {
    let policy = try PolicyFinder.find("capture").policy
    #expect(try ProgramFinder.find("true", policy: policy) == .shown("/usr/bin/true"))
    let path = "/tmp/darkroom-program-\(Randomness.hexadecimal(bytes: 6))"
    defer { try? FileSystem.unlink(path) }
    try FileSystem.replaceContents(path, with: [0x23], mode: 0o755)
    #expect(try ProgramFinder.find(path, policy: policy) == .file(path))
  }

  @Test func `what is no program is told apart`() throws {
    let policy = try PolicyFinder.find("capture").policy
    #expect(throws: PlanError.noProgram("no-such-program")) {
      try ProgramFinder.find("no-such-program", policy: policy)
    }
    #expect(throws: PlanError.notExecutable("/etc/passwd")) {
      try ProgramFinder.find("/etc/passwd", policy: policy)
    }
    #expect(throws: PlanError.notExecutable("/tmp")) { try ProgramFinder.find("/tmp", policy: policy) }
  }
}
