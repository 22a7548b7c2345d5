// SPDX-License-Identifier: Apache-2.0

import PolicyExplanation
import SandboxPolicy
import Testing

@Suite struct ResolvedTextTests {
  /// Returns the lines about a policy.
  static func lines(_ text: String) throws -> [String] {
    ResolvedText.lines(try PolicyFixture.policy(text), width: 200)
  }

  @Test func `each line has its position and the entries that it overrides`() throws {
    let lines = try Self.lines(
      """
      {"name": "mine", "extends": "capture", "limits": {"wallClock": "90s"},
       "syscalls": {"allow": ["@sync", "fcntl"], "deny": ["fork"]}}
      """
    )
    #expect(lines.first == "mine (mine.json) extends capture (capture.json) extends base (base.json)")
    #expect(lines.contains("  mine.json:1:64  limits.wallClock: 90s"))
    #expect(lines.contains("      · overrides capture.json:41:18: 2h"))
    #expect(lines.contains("  mine.json:2:25  @sync: sync syncfs"))
    #expect(lines.contains { $0.hasPrefix("      · is repeated by mine.json:2:25 by @sync") })
    #expect(
      lines.contains(
        "      · covers the narrower rule of base.json:30:7: fcntl where command is F_DUPFD_CLOEXEC"
      )
    )
    let denial = try #require(lines.firstIndex(of: "  mine.json:2:53  fork"))
    #expect(lines[denial + 1] == "      · denies the call that is allowed by base.json:10:7: fork")
  }

  @Test func `marks standard values and empty lists`() throws {
    let lines = try Self.lines(#"{"name": "bare"}"#)
    #expect(lines.contains("  default value  limits.wallClock: 6h"))
    #expect(lines.contains("  default value  scratch.size: 64MiB"))
    #expect(lines.filter { $0 == "  nothing" }.count == 4)
  }

  @Test(arguments: [
    (0, LimitName.Unit.bytes, "0"), (1 << 20, .bytes, "1MiB"), (1500, .bytes, "1500B"),
    (3 << 30, .bytes, "3GiB"),
    (90, .seconds, "90s"), (7200, .seconds, "2h"), (300, .seconds, "5m"), (256, .count, "256"),
  ])
  func `prints a quantity in the notation of policies`(value: Int, unit: LimitName.Unit, text: String) {
    #expect(QuantityText.text(value, unit) == text)
  }

  @Test func `wraps lines at the given width except for long words`() throws {
    let lines = ResolvedText.lines(try PolicyFixture.shipped("capture"), width: 80)
    for line in lines where line.count > 80 {
      #expect(line.drop { $0 == " " }.split(separator: " ").count <= 3, "\(line)")
    }
  }

  @Test(arguments: [
    ("prctl", 0, UInt32.max, UInt32(15), "option is PR_SET_NAME"),
    ("fcntl", 1, 0xFFFF_FFC0, 0, "command is from F_DUPFD to 63"),
    ("fcntl", 1, 0xFFFF_FFFE, 0x408, "command is F_GETPIPE_SZ or F_ADD_SEALS"),
    ("fallocate", 1, .max, 3, "mode is FALLOC_FL_KEEP_SIZE|FALLOC_FL_PUNCH_HOLE"),
    ("prlimit64", 0, .max, 0, "pid is 0"),
    ("chmod", 1, 0xE00, 0, "mode & S_ISUID|S_ISGID|S_ISVTX is 0"),
    ("clone", 0, 0x1001_0000, 0x1_0000, "flags & CLONE_THREAD|CLONE_NEWUSER is CLONE_THREAD"),
    ("ioctl", 1, .max, 0x5401, "request is TCGETS"),
  ])
  func `prints a condition with the names of its values`(
    call: String,
    index: Int,
    mask: UInt32,
    value: UInt32,
    text: String
  ) {
    let condition = ArgumentCondition(index: index, mask: mask, value: value)
    #expect(RuleText.conditions([condition], of: call) == text)
  }
}
