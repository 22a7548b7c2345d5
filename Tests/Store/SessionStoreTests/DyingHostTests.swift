// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import Testing

@testable import SessionStore

/// Recovery waits for a host that has exited, and not for a running one.
@Suite struct DyingHostTests {
  @Test func `a host at work has not ended`() {
    #expect(!DyingHost.hasEnded(CurrentProcess.processID))
    // Process 1 belongs to another user unless the test runs as root.
    #expect(!DyingHost.hasEnded(1))
  }

  @Test func `a host has ended before its status is taken, and after that`() throws {
    var process = pid_t()
    var words = [strdup("true"), nil]
    defer { free(words[0]) }
    try #require(posix_spawn(&process, "/bin/true", nil, nil, &words, nil) == 0)
    let handle = try ProcessHandle.open(process)
    _ = try Poller.wait([(handle.descriptor.rawValue, .readable)])
    #expect(DyingHost.hasEnded(process))
    #expect(try handle.reap() == .exited(0))
    #expect(DyingHost.hasEnded(process))
  }
}
