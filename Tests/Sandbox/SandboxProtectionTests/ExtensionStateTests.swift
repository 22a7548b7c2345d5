// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// The attributes and resources of an extension's process, launched by a careless host.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ExtensionStateTests {
  /// The checks that succeed outside every sandbox, in a shell that is as careless as the host.
  static let foundOutside = [
    "new-privileges", "no-filter", "identity", "host-name=darkroom", "environment=NOTHING,", "process",
    "descriptors=3", "high-descriptors=3", "signals", "file-mask", "nice=0", "limits=4=0/0,",
  ]

  static let checks =
    [
      "any-capability", "new-privileges", "no-filter", "identity", "other-groups={groups}", "signals",
      "host-name=darkroom",
      "environment={environment}", "process", "terminal", "nice={nice}", "limits={limits}",
      "descriptors={descriptors}", "high-descriptors={descriptors}", "file-mask",
    ]
    + ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"].map { "host-namespace={namespace \($0)}" }

  @Test(arguments: ProbeUser.available, ["plain", "task"])
  func `an extension has only what its plan lists, whatever the state of the launching thread`(
    user: ProbeUser,
    thread: String
  ) throws {
    for result in try ProbeHarness(user).attempt(Self.checks, options: ["--thread", thread]) {
      #expect(result.verdict == "refused" && result.text.hasSuffix("nothing"), "\(result) as \(user)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `a host with much memory launches like one with little`(user: ProbeUser) throws {
    let results = try ProbeHarness(user).attempt(["process"], options: ["--resident", "300"])
    #expect(results.map(\.verdict) == ["refused"], "\(results)")
  }

  @Test func `the checks detect a careless environment outside a sandbox (control)`() throws {
    let bench = try ProbeHarness(try #require(ProbeUser.available.first))
    let careless = "cd / && umask 0 && trap '' HUP && exec 7</ 300</dev/null && exec nice -n 3"
    for check in Self.foundOutside {
      let parts = check.split(separator: "=", maxSplits: 1).map(String.init)
      let probe = "'\(bench.directory)/darkroom-probe' " + parts.map { "'\($0)'" }.joined(separator: " ")
      let status = system("bash -c \"\(careless) \(probe)\" >/dev/null")
      #expect(status == 0, "\(check)")
    }
  }

  /// Outside a sandbox, root has capabilities and a second group, so that the checks can succeed.
  @Test(.enabled(if: geteuid() == 0, "only root has capabilities"))
  func `the checks detect capabilities and groups outside a sandbox (control)`() throws {
    let bench = try ProbeHarness(.root)
    let probe = "'\(bench.directory)/darkroom-probe'"
    #expect(system("\(probe) any-capability >/dev/null") == 0)
    #expect(system("setpriv --groups 12,13 \(probe) other-groups 0 >/dev/null") == 0)
    #expect(system("setpriv --groups 12,13 \(probe) other-groups 1 >/dev/null") == 0)
    #expect(system("setpriv --groups 12,13 \(probe) other-groups 2 >/dev/null") != 0)
  }

  @Test(arguments: ProbeUser.available, [("ipc", "ipc"), ("net", "network"), ("cgroup", "cgroup")])
  func `a namespace that the plan omits is shared with the host`(user: ProbeUser, names: (String, String))
    throws
  {
    let attempt = "host-namespace={namespace \(names.0)}"
    let results = try ProbeHarness(user).attempt([attempt], without: [names.1])
    #expect(results.map(\.verdict) == ["succeeded"], "\(results)")
  }

  @Test(
    .enabled(if: geteuid() == 0 && ProbeUser.canRunUnprivileged, "only root can make a program set-user-ID")
  )
  func `a set-user-ID root program runs without its privilege`() throws {
    for user in ProbeUser.available {
      let bench = try ProbeHarness(user)
      let shown = try bench.makeUserDirectory("shown")
      let program = "\(shown)/program"
      try #require(system("cp '\(bench.directory)/darkroom-probe' '\(program)'") == 0)
      chmod(program, 0o4755)
      let attempts = ["execute-set-user-id=\(program)"]
      for result in try bench.attempt(attempts, options: ["--read-only", shown]) {
        #expect(result.verdict == "refused" && result.text.contains("effective 1000"), "\(result)")
      }
      #expect(system("\(ProbeUser.unprivileged.commandPrefix) '\(program)' effective-user >/dev/null") == 0)
    }
  }

  @Test(
    .enabled(if: geteuid() == 0 && ProbeUser.canRunUnprivileged, "only root can give a program capabilities")
  )
  func `a program with file capabilities runs without them`() throws {
    for user in ProbeUser.available {
      let bench = try ProbeHarness(user)
      let shown = try bench.makeUserDirectory("shown")
      let program = "\(shown)/program"
      try #require(system("cp '\(bench.directory)/darkroom-probe' '\(program)'") == 0)
      chmod(program, 0o755)
      guard system("setcap cap_net_raw,cap_sys_admin+ep '\(program)' 2>/dev/null") == 0 else {
        return print("SKIP: there is no setcap, or this file system keeps no capabilities")
      }
      for result in try bench.attempt(["execute-capable=\(program)"], options: ["--read-only", shown]) {
        #expect(result.verdict == "refused", "\(result)")
      }
      #expect(system("\(ProbeUser.unprivileged.commandPrefix) '\(program)' any-capability >/dev/null") == 0)
    }
  }
}
