// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Calls that the filter refuses.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ForbiddenCallTests {
  @Test(arguments: ProbeUser.available)
  func `a future system call fails with ENOSYS`(user: ProbeUser) throws {
    let bench = try ProbeHarness(user)
    let results = try bench.attempt(["call-minus-one", "call-9999", "clone3-user"])
    for result in results { #expect(result.text == "ENOSYS", "\(result)") }
    let without = try bench.attempt(["clone3-user"], without: ["filter", "mountTable", "namespaceLimits"])
    #expect(without.map(\.verdict) == ["succeeded"])
  }

  #if arch(x86_64)
    @Test(arguments: ProbeUser.available, ["capture", "strict"])
    func `a call with the i386 or x32 convention is fatal`(user: ProbeUser, policy: String) throws {
      let attempts = ["i386-getpid", "i386-socketcall", "x32-getpid", "x32-socket"]
      let bench = try ProbeHarness(user)
      for result in try bench.attempt(attempts, policy: policy) {
        #expect(result.verdict == "SIGSYS", "\(result)")
      }
      for result in try bench.attempt(attempts, policy: policy, without: ["filter"]) {
        #expect(result.verdict != "SIGSYS", "\(result)")
      }
    }
  #endif

  /// Knowledge of the launcher's mark is useless to a program, and its termination reports the violation.
  @Test(arguments: ProbeUser.available, ["capture", "strict"])
  func `a call marked as a launcher call kills the program`(user: ProbeUser, policy: String) throws {
    let attempts = ["marked-unshare", "marked-prctl", "marked-seccomp", "marked-socket", "marked-open"]
    let bench = try ProbeHarness(user)
    // In a prepared session, the first filter is installed before the session exists.
    for options in [[], BrokeredSessionTests.brokered] {
      for result in try bench.attempt(attempts, policy: policy, options: options) {
        #expect(result.verdict == "SIGSYS", "\(result) \(options)")
      }
    }
    for result in try bench.attempt(attempts, policy: policy, without: ["filter"]) {
      #expect(result.verdict == "succeeded", "\(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `the kernel refuses real-time scheduling and lower nice values`(user: ProbeUser) throws {
    for result in try ProbeHarness(user).attempt(["real-time", "nice-below-zero"]) {
      #expect(result.verdict == "refused", "\(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `a refused call fails even if no listener is left`(user: ProbeUser) throws {
    let attempts = ["socketpair-datagrams", "ptrace-traceme", "open_tree"]
    for result in try ProbeHarness(user).attempt(attempts, without: ["listening"]) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("ENOSYS"), "\(result)")
    }
  }

  /// A policy may allow additional filters; the kernel evaluates all of them, and the strictest verdict
  /// applies.
  @Test(arguments: ProbeUser.available)
  func `a filter installed by the program does not weaken the sandbox filter`(user: ProbeUser) throws {
    let bench = try ProbeHarness(user)
    let policy = "\(bench.directory)/filters.json"
    let text = """
      {"name": "filters", "extends": "base", "syscalls": {"allow": [
        {"call": "seccomp", "arguments": [{"index": 1, "mask": "0x8", "equals": 0}]}]}}
      """
    try FileSystem.replaceContents(policy, with: Array(text.utf8))
    chmod(policy, 0o644)
    let results = try bench.attempt(
      ["stacked-filter", "seccomp-filter-listener", "seccomp-filter"],
      policy: policy
    )
    #expect(results.map(\.verdict) == ["refused", "refused", "succeeded"], "\(results)")
    #expect(results[0].text == "prctl refused, seccomp done, EPERM", "\(results)")
    let open = try bench.attempt(["stacked-filter"], without: ["filter"])
    #expect(open.map(\.verdict) == ["succeeded"], "\(open)")
  }

  /// Calls and the restrictions behind the filter that refuse them.
  static let lockedCalls: [(calls: [String], locks: [String])] = [
    (["unshare-user", "clone-user"], ["mountTable", "namespaceLimits"]),
    (["seccomp-filter-listener"], ["reports"]),
  ]

  /// The session's namespace limit refuses a user namespace, and so does the hidden mount table: the kernel
  /// requires that the root of the process is the root of its mount namespace (user_namespaces(7), EPERM). A
  /// second listener is refused because the host has the first (seccomp(2), EBUSY).
  @Test(arguments: ProbeUser.available)
  func `each restriction behind the filter suffices alone`(user: ProbeUser) throws {
    let bench = try ProbeHarness(user)
    for (calls, locks) in Self.lockedCalls {
      for result in try bench.attempt(calls, without: ["refusing"] + locks) {
        #expect(result.verdict == "succeeded", "\(result)")
      }
      for lock in locks {
        let others = locks.filter { $0 != lock }
        for result in try bench.attempt(calls, without: ["refusing"] + others) {
          #expect(result.verdict == "refused", "\(result) behind \(lock)")
        }
      }
    }
  }
}
