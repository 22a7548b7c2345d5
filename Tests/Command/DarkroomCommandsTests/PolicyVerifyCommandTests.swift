// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

/// `darkroom policy verify`.
@Suite struct PolicyVerifyCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  /// Refuses one call of x86-64 and allows every other call. On other architectures the program is still a
  /// valid filter.
  private static let weak: [UInt8] = [
    0x20, 0, 0, 0, 4, 0, 0, 0, 0x15, 0, 1, 0, 0x3E, 0, 0, 0xC0, 0x06, 0, 0, 0, 0, 0, 0, 0x80,
    0x20, 0, 0, 0, 0, 0, 0, 0, 0x15, 0, 0, 1, 41, 0, 0, 0, 0x06, 0, 0, 0, 1, 0, 5, 0, 0x06, 0, 0, 0, 0, 0,
    0xFF, 0x7F,
  ]

  @Test func `proves the shipped policies as compiled and as loaded`() throws {
    let outcome = try fixture.run("policy", "verify", "base", "capture", "container", "strict", "--json")
    #expect(outcome.code == 0)
    let verifications = try #require(outcome.json.elements)
    #expect(verifications.count == 4)
    for verification in verifications {
      #expect(verification["proved"] == true)
      let programs = try #require(verification["programs"]?.elements)
      #expect(programs.prefix(2).compactMap { $0["program"]?.string } == ["compiled", "loaded"])
      for program in programs {
        let claims = try #require(program["claims"]?.elements)
        #expect(claims.count > 10 && claims.allSatisfy { $0["finding"] == "proved" })
        #expect(claims.first?["claim"] == "meaning")
      }
    }
    let text = try fixture.run("policy", "verify", "capture")
    #expect(text.code == 0 && text.output.contains("proved  no-network: "))
    #expect(!text.output.contains("FAILED"))
  }

  @Test func `refutes a weak filter with counterexamples`() throws {
    try fixture.write("weak.bpf", Self.weak)
    let path = "\(fixture.directory)/weak.bpf"
    let text = try fixture.run("policy", "verify", path)
    #expect(text.code == 70)
    #expect(text.output.contains("x86_64 connect("))
    #expect(text.output.contains("Not proved: \(path)"))
    let outcome = try fixture.run("policy", "verify", path, "--policy", "strict", "--json")
    #expect(outcome.code == 70)
    let claims = try #require(outcome.json.elements?.first?["programs"]?.elements?.first?["claims"]?.elements)
    let meaning = try #require(claims.first)
    #expect(meaning["finding"] == "refuted" && meaning["counterexample"]?["found"] == "ALLOW")
    #expect(meaning["counterexample"]?["expected"] != .null)
    #expect(meaning["counterexample"]?["instructionPointer"]?.string?.hasPrefix("0x") == true)
  }

  @Test func `verifies a policy against a custom invariant`() throws {
    try fixture.write(
      "mine.json",
      #"{"invariants": [{"name": "mute", "reason": "extensions must not write", "never": ["write"]}]}"#
    )
    let path = "\(fixture.directory)/mine.json"
    let outcome = try fixture.run("policy", "verify", "strict", "--invariants", path)
    #expect(outcome.code == 70)
    #expect(outcome.output.contains("FAILED  mute: extensions must not write"))
    #expect(outcome.output.contains("compiled: violated: "))
    try fixture.write("wrong.json", #"{"invariants": [{"name": "x", "reason": "y", "never": ["wriet"]}]}"#)
    let wrong = try fixture.run(
      "policy",
      "verify",
      "strict",
      "--invariants",
      "\(fixture.directory)/wrong.json"
    )
    #expect(wrong.code == 65 && wrong.errorOutput.contains("wrong.json:1:"))
  }

  @Test func `policy verify rejects a file that is neither a policy nor a filter`() throws {
    #expect(try fixture.run("policy", "verify", "captur").code == 66)
    #expect(try fixture.run("policy", "verify", "\(fixture.directory)/nothing").code == 66)
    try fixture.write("torn.bpf", Array(Self.weak.dropLast()))
    let torn = try fixture.run("policy", "verify", "\(fixture.directory)/torn.bpf")
    #expect(torn.code == 65 && torn.errorOutput.contains("neither a policy nor a compiled filter"))
    try fixture.write("wrong.json", #" {"name": "wrong", "syscals": {}}"#)
    #expect(try fixture.run("policy", "verify", "\(fixture.directory)/wrong.json").code == 65)
    #expect(try fixture.run("policy", "verify", "capture", "--policy", "strict").code == 64)
    let text = #"{"name":"vast","extends":"base"}"# + String(repeating: " ", count: 1 << 20)
    try fixture.write("vast.json", text)
    let vast = try fixture.run("policy", "verify", "\(fixture.directory)/vast.json")
    #expect(
      vast.code == 65 && vast.errorOutput.contains("vast.json exceeds the maximum size of 1048576 bytes")
    )
  }

  @Test(
    arguments: [
      ["policy", "show"], ["policy", "verify"], ["policy", "check"], ["policy", "disassemble"],
      ["policy", "explain"], ["policy", "diff", "capture"], ["policy", "export", "bwrap"],
      ["doctor", "--policy"],
    ]
  )
  func `reads a policy document once, so that a pipe works`(words: [String]) throws {
    let pipe = try Pipe.make()
    let text = #"{"name":"piped","extends":"capture","limits":{"processes":8}}"#
    try Descriptor.write(Array(text.utf8), toNumber: pipe.writeEnd.rawValue)
    let document = pipe.takeReadEnd()
    let result = try CommandResult.run(
      ["--root", fixture.root] + words + ["/proc/self/fd/\(document.rawValue)"],
      input: ""
    )
    #expect(![64, 65, 66].contains(result.code), "\(result.errorOutput)")
  }
}
