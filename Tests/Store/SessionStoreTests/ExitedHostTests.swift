// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import Testing

@testable import SessionStore

/// Recovery waits for a host that has exited, and not for a running one.
@Suite struct ExitedHostTests {
  @Test func `a running host has not exited`() {
    #expect(!ExitedHost.hasExited(CurrentProcess.processID))
    // Process 1 belongs to another user unless the test runs as root.
    #expect(!ExitedHost.hasExited(1))
  }

  @Test func `a host has exited before and after it is reaped`() throws {
    var process = pid_t()
    var arguments = [strdup("true"), nil]
    defer { free(arguments[0]) }
    try #require(posix_spawn(&process, "/bin/true", nil, nil, &arguments, nil) == 0)
    let handle = try ProcessHandle.open(process)
    _ = try Poller.wait([(handle.descriptor.rawValue, .readable)])
    #expect(ExitedHost.hasExited(process))
    #expect(try handle.reap() == .exited(0))
    #expect(ExitedHost.hasExited(process))
  }
}
