// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import Testing

@Suite struct DebuggerAccessTests {
  @Test(arguments: [
    (nil, DebuggerAccess.unrestricted), ("0\n", .unrestricted), ("1\n", .privileged(1)),
    ("2\n", .privileged(2)),
    ("3\n", .disabled),
    ("4\n", .disabled), ("", .disabled), ("none\n", .disabled),
  ])
  func `treats an unknown ptrace_scope value as the strictest`(text: String?, access: DebuggerAccess) {
    #expect(DebuggerAccess(text) == access)
  }

  @Test func `refuses debugging with a fix only if no process can attach`() {
    #expect(DebuggerAccess.disabled.obstacle?.contains("/etc/sysctl.d") == true)
    #expect(DebuggerAccess.unrestricted.obstacle == nil)
    #expect(DebuggerAccess.privileged(2).obstacle == nil)
  }

  @Test func `tells an unprivileged user which processes can attach to a restricted session`() {
    #expect(DebuggerAccess.privileged(1).restrictedNotice(user: 1000)?.contains("ptrace_scope is 1") == true)
    #expect(DebuggerAccess.privileged(1).restrictedNotice(user: 0) == nil)
    #expect(DebuggerAccess.unrestricted.restrictedNotice(user: 1000) == nil)
  }

  @Test func `prints debugger commands with the process ID and its root`() {
    let lines = DebuggerInstructions.lines(.waiting, 4711)
    #expect(
      lines.contains {
        $0.contains("gdb ") && $0.contains("/proc/4711/exe 4711") && $0.contains("/proc/4711/root")
      }
    )
    #expect(lines.contains { $0.contains("lldb -p 4711") })
  }
}
