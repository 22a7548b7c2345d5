// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the system calls during a launch with strace(1).
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestPrograms.has("strace")), .waiting) struct LaunchTraceTests {
  @Test func `a launch makes each expensive system call once and no unneeded one`() throws {
    let home = try TestHome(TestUser.available[0])
    try home.exec(["true"]).expectSuccess()
    let trace = home.file("trace")
    // The host has one socket, for the journal service, if there is one.
    let arguments = [
      "/usr/bin/env", "DARKROOM_JOURNAL=none", "/usr/bin/strace", "-f", "-qq", "-o", trace,
      home.programs.darkroom, "exec", "--root", home.root,
    ]
    let result = try home.start(arguments + ["--app", TestHome.app, "--", "/usr/bin/true"]).end()
    #expect(result.code == 0, "\(result.errors)")
    let calls = String(decoding: try #require(try FileSystem.contents(trace, limit: 1 << 26)), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    let host = try #require(calls.first?.prefix { $0 != " " })

    func count(_ parts: String...) -> Int { calls.count { line in parts.allSatisfy { line.contains($0) } } }
    // Control: the trace contains the host and the program.
    #expect(count(" execve(\"/usr/bin/true\"") == 1)
    #expect(calls.count { $0.contains(" execve(") } == 2)
    #expect(count("clone3(", "CLONE_NEWPID") == 1)
    for call in ["socket(", "connect(", "bind(", "vfork(", "ptrace("] {
      #expect(count(" \(call)") == 0, "\(call)")
    }
    for call in ["pivot_root(", "landlock_create_ruleset(NULL", "landlock_restrict_self(", "sethostname("] {
      #expect(count(" \(call)") == 1, "\(call)")
    }
    // libseccomp queries the kernel's features with invalid addresses, which install no filter.
    #expect(count(" seccomp(SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, {") == 1)
    #expect(count(" seccomp(SECCOMP_SET_MODE_FILTER, 0, {", "= 0") == 1)
    // The socket pair transfers the listener of the filter.
    #expect(count(" socketpair(") == 1)
    // The host probes with descriptor -1 whether an outer filter refuses the call.
    #expect(count(" recvmsg(") - count(" recvmsg(-1, ") == 1)
    // The host opens nothing twice, except for /sys (Swift runtime) and the directories of the store.
    var opened: [String: Int] = [:]
    for line in calls
    where line.hasPrefix("\(host) ") && line.contains("openat(AT_FDCWD, \"") && !line.contains("= -1") {
      let path = line.split(separator: "\"", maxSplits: 2)[1]
      let isItsOwn = [home.directory, "/proc", "/sys"].contains { path.hasPrefix($0) }
      if !isItsOwn { opened[String(path), default: 0] += 1 }
    }
    #expect(opened.filter { $0.value > 1 } == [:])
    #expect(opened["/etc/shadow"] == nil && opened["/etc/passwd"] == nil)
  }
}

extension TestHome.Session {
  /// Checks that the session succeeded.
  func expectSuccess(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(command.code == 0, "\(command.errors)", sourceLocation: sourceLocation)
  }
}
