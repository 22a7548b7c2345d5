// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import Testing

@Suite struct DebuggerAccessTests {
  @Test(arguments: [
    (nil, DebuggerAccess.free), ("0\n", .free), ("1\n", .privileged(1)), ("2\n", .privileged(2)),
    ("3\n", .nobody),
    ("4\n", .nobody), ("", .nobody), ("none\n", .nobody),
  ])
  func `what is not understood is the strictest`(text: String?, access: DebuggerAccess) {
    #expect(DebuggerAccess(text) == access)
  }

  @Test func `only where nobody can attach is debugging refused, with the mend`() {
    #expect(DebuggerAccess.nobody.obstacle?.contains("/etc/sysctl.d") == true)
    #expect(DebuggerAccess.free.obstacle == nil)
    #expect(DebuggerAccess.privileged(2).obstacle == nil)
  }

  @Test func `of a restricted session an ordinary user is told who can attach`() {
    #expect(DebuggerAccess.privileged(1).restrictedNotice(user: 1000)?.contains("ptrace_scope is 1") == true)
    #expect(DebuggerAccess.privileged(1).restrictedNotice(user: 0) == nil)
    #expect(DebuggerAccess.free.restrictedNotice(user: 1000) == nil)
  }

  @Test func `how to attach is said with the process and its root`() {
    let lines = DebuggerGuide.lines(.waiting, 4711)
    #expect(
      lines.contains { $0.contains("gdb ") && $0.contains("-p 4711") && $0.contains("/proc/4711/root") }
    )
    #expect(lines.contains { $0.contains("lldb -p 4711") })
  }
}
