// SPDX-License-Identifier: Apache-2.0

import JSONText
import LaunchPlanning
import LinuxPrimitives
import Refusals
import SandboxPolicy
import SessionStore
import Testing

@Suite struct PathExplainerTests {
  /// Returns the explanation of a path under a shipped policy.
  private static func explain(_ path: String, _ use: FileAccess, _ policy: String = "capture") throws
    -> PathExplanation
  {
    let root = StateRoot(path: "/var/lib/darkroom-tests")
    return try PathExplainer(PolicyFinder.find(policy).policy, root).explain(path, use)
  }

  @Test(arguments: [
    ("/usr/bin/env", FileAccess.read, PathExplanation.Verdict.allowed), ("/usr/bin/env", .execute, .allowed),
    ("/usr/bin/env", .write, .refused), ("/session/a/b", .write, .allowed),
    ("/session/a", .execute, .refused),
    ("/container/tmp/a", .write, .allowed), ("/dev/null", .write, .allowed),
    ("/dev/null", .execute, .refused),
    ("/dev/mem", .read, .refused), ("/etc/passwd", .read, .allowed), ("/etc/passwd", .write, .refused),
    ("/etc/shadow", .read, .refused), ("/root", .read, .refused), ("/app-context.json", .read, .allowed),
    ("/proc/self/status", .read, .allowed), ("/proc/self/comm", .write, .refused),
    ("/extension/x", .execute, .allowed),
    ("/extension/x", .write, .refused), ("/tmp/x", .write, .allowed), ("/dev/shm/x", .write, .allowed),
  ])
  func `explains each path as the plan grants it`(
    path: String,
    use: FileAccess,
    verdict: PathExplanation.Verdict
  ) throws {
    let explanation = try Self.explain(path, use)
    #expect(explanation.verdict == verdict, "\(explanation.sentence)")
  }

  @Test func `explains a path in a merged directory by the directory that its link leads to`() throws {
    try #require(try FileSystem.status("/bin")?.kind == .symbolicLink, "this system is not merged")
    #expect(try Self.explain("/bin/env", .execute).resolvedPath == "/usr/bin/env")
  }

  @Test func `the fix for a custom policy names its document`() throws {
    let path = "/tmp/darkroom-policy-\(Randomness.hexadecimal(bytes: 8)).json"
    try FileSystem.replaceContents(path, with: Array(#"{"name": "own", "extends": "capture"}"#.utf8))
    defer { try? FileSystem.unlink(path) }
    let fix = try #require(try Self.explain("/opt/x", .read, path).fix?.policy)
    #expect(fix.target == .document(path))
    #expect(fix.json?["readOnly"] == [["path": "/opt/x", "optional": true]])
  }
}
