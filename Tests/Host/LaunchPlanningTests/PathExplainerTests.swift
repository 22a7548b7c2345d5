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
  private static func explain(_ path: String, _ use: FileUse, _ policy: String = "capture") throws
    -> PathExplanation
  {
    let root = StateRoot(path: "/var/lib/darkroom-tests")
    return try PathExplainer(PolicyFinder.find(policy).policy, root).explain(path, use)
  }

  @Test(arguments: [
    ("/usr/bin/env", FileUse.read, PathExplanation.Verdict.allowed), ("/usr/bin/env", .execute, .allowed),
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
  func `the root of a plan is explained as the plan makes it`(
    path: String,
    use: FileUse,
    verdict: PathExplanation.Verdict
  ) throws {
    let explanation = try Self.explain(path, use)
    #expect(explanation.verdict == verdict, "\(explanation.sentence)")
  }

  @Test func `a merged directory leads to where it is merged`() throws {
    try #require(try FileSystem.status("/bin")?.kind == .symbolicLink, "this system is not merged")
    #expect(try Self.explain("/bin/env", .execute).place == "/usr/bin/env")
  }

  @Test func `a policy of one's own is to be changed where it lies`() throws {
    let path = "/tmp/darkroom-policy-\(Randomness.hexadecimal(bytes: 8)).json"
    try FileSystem.replaceContents(path, with: Array(#"{"name": "own", "extends": "capture"}"#.utf8))
    defer { try? FileSystem.unlink(path) }
    let mend = try #require(try Self.explain("/opt/x", .read, path).mend?.policy)
    #expect(mend.place == .document(path))
    #expect(mend.json?["readOnly"] == [["path": "/opt/x", "optional": true]])
  }
}
