// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import Glibc
import LinuxPrimitives
import Testing

@Suite struct CapturePolicyTests {
  @Test func `describes and proves each shipped policy`() async throws {
    #expect(Set(CapturePolicy.shippedNames) == ["base", "capture", "container", "strict"])
    let policy = try CapturePolicy("strict")
    #expect(policy.name == "strict" && policy.digest.hasPrefix("sha256:"))
    #expect(policy.explain().contains { $0.contains("strict") })
    let verdicts = try await policy.verify()
    #expect(Set(verdicts.map(\.programs)) == ["compiled", "loaded"])
    #expect(verdicts.allSatisfy { $0.isProved && $0.failure == nil })
  }

  @Test func `a policy that was written from its document has the same effect`() async throws {
    let path = "/tmp/darkroom-host-\(Randomness.hexadecimal(bytes: 8)).json"
    defer { unlink(path) }
    let strict = try CapturePolicy("strict")
    try FileSystem.replaceContents(path, with: Array(strict.document.utf8))
    #expect(try await CapturePolicy(path).difference(to: strict).isEqual)
  }

  @Test func `strict is a subset of capture, but not the reverse`() async throws {
    let (strict, capture) = (try CapturePolicy("strict"), try CapturePolicy("capture"))
    #expect(try await strict.isSubset(of: capture))
    #expect(try await !capture.isSubset(of: strict))
    #expect(try await strict.difference(to: strict).isEqual)
    let comparison = try await strict.difference(to: capture)
    #expect(
      comparison.isWeaker && comparison.calls.contains { $0.subject == "socketpair" && $0.effect == .weaker }
    )
  }

  @Test func `reports an unknown policy with the known names`() {
    let error = #expect(throws: HostError.self) { try CapturePolicy("unknown") }
    #expect(error?.description.contains("capture") == true)
  }
}
