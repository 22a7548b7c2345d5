// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyInterchange
import Testing

/// Reads minijail policies.
@Suite struct MinijailProfileTests {
  let space = CallSpace()

  private func behavior(_ text: String) throws -> FilterBehavior {
    try MinijailProfile(text: text).profile.behavior(in: space)
  }

  @Test func `parses expressions, values and actions like minijail0`() throws {
    let behavior = try behavior(
      """
      # comment
      read: 1
      write: arg0 == 1 || arg0 == 2 && arg2 < 0x10; return EPERM
      mmap: arg2 in PROT_READ|PROT_WRITE
      open: arg1 & ~(O_CREAT|3)
      close: return 38
      kill: kill-process
      {dup, dup2}: allow
      fcntl: arg1 == 1 || \\
        arg1 == 2
      """
    )
    #expect(behavior.verdict(for: try call("read")) == .allow)
    #expect(behavior.verdict(for: try call("write", 1, 0, 99)) == .allow)
    #expect(behavior.verdict(for: try call("write", 2, 0, 15)) == .allow)
    #expect(behavior.verdict(for: try call("write", 2, 0, 16)) == .errno(1))
    #expect(behavior.verdict(for: try call("mmap", 0, 0, 3)) == .allow)
    #expect(behavior.verdict(for: try call("mmap", 0, 0, 5)) == .killThread)
    #expect(behavior.verdict(for: try call("mmap", 0, 0, 1 << 32)) == .killThread)
    #expect(behavior.verdict(for: try call("open", 0, 0x43)) == .killThread)
    #expect(behavior.verdict(for: try call("open", 0, 0x83)) == .allow)
    #expect(behavior.verdict(for: try call("close")) == .errno(38))
    #expect(behavior.verdict(for: try call("kill")) == .killProcess)
    #expect(behavior.verdict(for: try call("dup2")) == .allow)
    #expect(behavior.verdict(for: try call("fcntl", 0, 2)) == .allow)
    #expect(behavior.verdict(for: try call("getpid")) == .killThread)
  }

  @Test func `in braces, a return action applies to matching calls`() throws {
    let behavior = try behavior("@default trap\nread: { arg0 == 1; return 9, arg0 == 2, return EPERM }\n")
    #expect(behavior.verdict(for: try call("read", 1)) == .errno(9))
    #expect(behavior.verdict(for: try call("read", 2)) == .allow)
    #expect(behavior.verdict(for: try call("read", 3)) == .errno(1))
    #expect(behavior.verdict(for: try call("write")) == .trap(0))
  }

  @Test func `reports includes, conditions for other machines and ambiguous lines`() throws {
    let profile = try MinijailProfile(
      text:
        "@include /etc/common.policy\n@frequency ./f\nread[arch=mips]: 1\nwrite: arg0 == 1; return 1\nraed: 1\n"
    )
    let matters = profile.losses.map(\.kind)
    #expect(matters.contains(.unreadableInclude("/etc/common.policy")))
    #expect(matters.contains(.condition("on read", isAssumed: false)))
    #expect(matters.contains(.unknownNames(["raed"])))
    #expect(
      profile.losses.contains { "\($0)".contains("compile_seccomp_policy.py") && $0.location == "line 4" }
    )
    #expect(try profile.profile.behavior(in: space).verdict(for: try call("read")) == .killThread)
  }

  @Test(arguments: [
    ("read", "1:1: expected \":\""), ("read: arg6 == 1", "1:7: argument arg6 does not exist"),
    ("read: arg0 ~ 1", "1:12: \"~\" is not a valid operator"),
    ("read: arg0 == NO", "\"NO\" is not a valid number"),
    ("read: maybe", "\"maybe\" is not a valid minijail action"),
    ("read: 1 1", "expected the end of the line"),
    ("{read: 1", "expected \"}\""),
  ])
  func `an error in a minijail policy has its position`(text: String, part: String) {
    do {
      _ = try MinijailProfile(text: text)
      Issue.record("was read: \(text)")
    } catch { #expect("\(error)".contains(part), "\(error)") }
  }
}
