// SPDX-License-Identifier: Apache-2.0

import JSONText
import SandboxPolicy
import TestSupport
import Testing

/// Tests of the lint rules about required system calls, with programs of the system.
@Suite(.timeLimit(.minutes(20)), .waiting) struct RequiredCallTests {
  /// Checks a policy that denies a call of base, and runs a program under it. Returns the lint rules with
  /// findings, and the exit code.
  private static func attempt(
    denying call: String?,
    _ program: [String] = ["sh", "-c", "exit 5"],
    within time: String = "1h"
  ) throws -> (rules: Set<String>, code: Int32) {
    let home = try TestHome(TestUser.available[0])
    let deny = call.map { "\"\($0)\"" } ?? ""
    let policy = try home.write(
      "policy.json",
      """
      {"name":"own","description":"A.","extends":"base","syscalls":{"deny":[\(deny)]},
       "limits":{"wallClock":"\(time)"}}
      """
    )
    let check = try home.start([home.programs.darkroom, "policy", "check", policy, "--json"]).end()
    let findings = try home.json(check.output)["policies"]?.elements?.first?["findings"]?.elements ?? []
    let session = try home.exec(program, options: ["--policy", policy])
    return (Set(findings.compactMap { $0["rule"]?.string }), session.command.code)
  }

  @Test(arguments: [nil, "brk", "set_tid_address"])
  func `a program runs if no required call is denied`(call: String?) throws {
    let (rules, code) = try Self.attempt(denying: call)
    #expect(rules.isDisjoint(with: ["DR2004", "DR2006"]))
    #expect(code == 5)
  }

  @Test(arguments: ["arch_prctl", "mprotect", "mmap", "pread64", "close"])
  func `no program starts if a required call is denied`(call: String) throws {
    // aarch64 has a register instead of this call.
    guard SystemCallTable.native.numbers[call] != nil else { return }
    let (rules, code) = try Self.attempt(denying: call)
    #expect(rules.contains("DR2004"))
    #expect(code != 5 && code != 0)
  }

  @Test func `a multithreaded program without exit_group does not exit`() throws {
    let script = """
      import os, threading, time
      threading.Thread(target=time.sleep, args=(0.2,), daemon=True).start()
      os._exit(5)
      """
    // Without exit_group(2), only the calling thread exits, while the other waits for its lock; a newer C library ends the
    // program by an instruction that is invalid outside the kernel.
    #expect(try Self.attempt(denying: nil, ["python3", "-c", script]).code == 5)
    let (rules, code) = try Self.attempt(denying: "exit_group", ["python3", "-c", script], within: "2s")
    #expect(rules.contains("DR2006") && !rules.contains("DR2004"))
    #expect(code == 124 || code == 139, "\(code)")
  }
}
