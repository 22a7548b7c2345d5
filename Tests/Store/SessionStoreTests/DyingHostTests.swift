// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import Testing

@testable import SessionStore

/// Who is waited for by a recovery: a host that has ended, and nobody who is at work.
@Suite struct DyingHostTests {
  @Test func `a host at work has not ended`() {
    #expect(!DyingHost.hasEnded(CurrentProcess.processID))
    // Another user's, for whom is not one.
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
