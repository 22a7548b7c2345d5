// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import LinuxPrimitives
import SandboxPolicy
import Testing

@Suite struct PolicyFinderTests {
  @Test func `finds a policy by name with the digest of its documents`() throws {
    let capture = try PolicyFinder.find("capture")
    #expect(capture.policy.chain == ["capture", "base"])
    #expect(capture.digest.hasPrefix("sha256:"))
    #expect(capture.digest != (try PolicyFinder.find("base")).digest)
  }

  @Test func `a custom policy can extend a shipped one`() throws {
    let path = "/tmp/darkroom-policy-\(Randomness.hexadecimal(bytes: 6)).json"
    defer { try? FileSystem.unlink(path) }
    let text = #"{"name": "mine", "description": "Mine.", "extends": "capture", "limits": {"processes": 7}}"#
    try FileSystem.replaceContents(path, with: Array(text.utf8))
    let found = try PolicyFinder.find(path)
    #expect(found.policy.limits.processes == 7)
    #expect(found.policy.chain == ["mine", "capture", "base"])
  }

  @Test func `reports the available policies if a policy does not exist`() {
    let error = #expect(throws: PolicyFindingError.self) { try PolicyFinder.find("lax") }
    #expect(
      error?.description
        == "unknown policy 'lax'; use base, capture, container, strict, or the path of a policy file"
    )
  }
}
