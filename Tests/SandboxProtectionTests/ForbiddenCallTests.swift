// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

/// What the filter of system calls refuses.
@Suite(.timeLimit(.minutes(10))) struct ForbiddenCallTests {
  @Test(arguments: ProbeUser.available)
  func `a call that the kernel may come to know is answered as if it did not know it`(user: ProbeUser) throws
  {
    let bench = try ProbeBench(user)
    let results = try bench.attempt(["call-minus-one", "call-9999", "clone3-user"])
    for result in results { #expect(result.text == "ENOSYS", "\(result)") }
    #expect(try bench.attempt(["clone3-user"], without: ["filter"]).map(\.verdict) == ["succeeded"])
  }

  #if arch(x86_64)
    @Test(arguments: ProbeUser.available, ["base", "strict"])
    func `a call by another convention ends the program`(user: ProbeUser, policy: String) throws {
      let attempts = ["i386-getpid", "i386-socketcall", "x32-getpid", "x32-socket"]
      let bench = try ProbeBench(user)
      for result in try bench.attempt(attempts, policy: policy) {
        #expect(result.verdict == "SIGSYS", "\(result)")
      }
      for result in try bench.attempt(attempts, policy: policy, without: ["filter"]) {
        #expect(result.verdict != "SIGSYS", "\(result)")
      }
    }
  #endif

  @Test(arguments: ProbeUser.available)
  func `real time and better nice values are refused by the kernel`(user: ProbeUser) throws {
    for result in try ProbeBench(user).attempt(["real-time", "nice-below-zero"]) {
      #expect(result.verdict == "refused", "\(result)")
    }
  }

  /// A policy may let a program add filters; the kernel then asks all of them, and the strictest answer counts.
  @Test(arguments: ProbeUser.available)
  func `a filter of the program's own takes nothing away from the sandbox's`(user: ProbeUser) throws {
    let bench = try ProbeBench(user)
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
}
