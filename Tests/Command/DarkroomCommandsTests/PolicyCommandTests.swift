// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

/// `darkroom policy show --resolved` and `darkroom policy explain`.
@Suite struct PolicyCommandTests {
  let fixture: CommandFixture

  init() throws {
    fixture = try CommandFixture()
    try fixture.write(
      "mine.json",
      #"{"name": "mine", "extends": "capture", "limits": {"wallClock": "5h"}, "syscalls": {"deny": ["fork"]}}"#
    )
  }

  /// The path of the tested policy.
  var mine: String { "\(fixture.directory)/mine.json" }

  @Test func `policy show --resolved prints the origin of every entry`() throws {
    let lines = try fixture.run("policy", "show", mine, "--resolved").lines
    #expect(lines.contains { $0.hasSuffix("mine.json:1:64  limits.wallClock: 5h") }, "\(lines)")
    #expect(lines.contains("      · overrides capture.json:41:18: 2h"))
    #expect(lines.contains("      · denies the call that is allowed by base.json:10:7: fork"))
    let json = try fixture.run("policy", "show", mine, "--resolved", "--json").json
    #expect(json["limits"]?["wallClock"]?["value"] == 18000)
    #expect(json["limits"]?["wallClock"]?["origin"] == .string("\(mine):1:64"))
    #expect(json["limits"]?["wallClock"]?["eclipses"]?.elements?.count == 2)
    #expect(try fixture.run("policy", "show", mine, "--json").json["limits"]?["wallClock"] == 18000)
  }

  @Test func `policy explain describes a policy and where it is weaker than the standard`() throws {
    let lines = try fixture.run("policy", "explain", mine).lines
    #expect(lines.contains("Settings that are weaker than in capture"))
    #expect(lines.contains { $0.contains("wallClock: 5h instead of 2h") })
    #expect(lines.contains { $0.contains("The extension can create processes (vfork, clone)") })
    let json = try fixture.run("policy", "explain", "capture", "--json").json
    let titles = json["sections"]?.elements?.compactMap { $0["title"]?.string } ?? []
    #expect(
      titles.contains("Network, devices and kernel interfaces")
        && !titles.contains("Settings that are weaker than in capture")
    )
    let restricted = try fixture.run("policy", "explain", mine, "--restricted").lines
    #expect(restricted.contains("  ! A restricted session has none of these layers:"))
  }

  @Test func `policy explain accepts a call as one argument or as several`() throws {
    let one = try fixture.run("policy", "explain", "strict", "socket(AF_VSOCK, SOCK_STREAM, 0)")
    #expect(one.code == 0 && one.errorOutput.isEmpty)
    #expect(one.output.contains("fails with EPERM"))
    let several = try fixture.run("policy", "explain", "strict", "socket", "AF_VSOCK", "SOCK_STREAM", "0")
    #expect(several.output == one.output)
    let json = try fixture.run("policy", "explain", "strict", "mmap", "_", "_", "PROT_EXEC", "--json").json
    #expect(json["answer"] == "EPERM" && json["call"] == "mmap(_, _, PROT_EXEC)")
    let denied = try fixture.run("policy", "explain", mine, "fork")
    #expect(denied.output.contains("mine.json:1:"))
    #expect(denied.output.contains("denies the call"))
  }

  @Test func `policy explain rejects an invalid call as a usage error`() throws {
    for words in [["sokcet"], ["socket(AF_INTE)"], ["read("]] {
      let result = try CommandResult.run(["policy", "explain", "base"] + words, input: "")
      #expect(result.code == 64 && result.output.isEmpty, "\(words)")
    }
    #expect(
      try fixture.run("policy", "explain", "base", "sokcet").errorOutput.contains("did you mean 'socket'?")
    )
    #expect(try fixture.run("policy", "explain", "base", "read", "--architecture", "vax").code == 64)
    #expect(try fixture.run("policy", "explain", "nothing", "read").code == 66)
  }
}
