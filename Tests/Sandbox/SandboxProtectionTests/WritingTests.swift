// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Write access of a session, and the use of written files.
@Suite(.timeLimit(.minutes(20)), .waiting) struct WritingTests {
  @Test(arguments: ProbeUser.available, ["capture", "strict"])
  func `the session directory and the container take files and directories`(user: ProbeUser, policy: String)
    throws
  {
    let attempts = [
      "create=/session", "create=/container", "make-directory=/session", "make-directory=/container",
    ]
    for result in try ProbeBench(user).attempt(attempts, policy: policy) {
      #expect(result.verdict == "succeeded", "\(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `nothing else can be written`(user: ProbeUser) throws {
    try expectProtected(
      ["/", "/usr", "/usr/bin", "/etc", "/extension"].map { Attempt("create=\($0)") } + [
        Attempt("write=/usr/bin/env"), Attempt("truncate=/usr/bin/env"), Attempt("remove=/usr/bin/env"),
        Attempt("rename=/usr/bin/env"), Attempt("change-mode=/usr/bin/env"),
        Attempt("change-time=/usr/bin/env"),
        Attempt("write=/etc/passwd"), Attempt("write=/app-context.json"), Attempt("write={program}"),
        Attempt("truncate={program}"), Attempt("remove={program}"), Attempt("rename={program}"),
        Attempt("change-mode={program}"),
      ],
      user: user
    )
  }

  /// Outside the sandbox, all users may change the directory, so that only the sandbox refuses changes.
  @Test(arguments: ProbeUser.available)
  func `what is shown can only be read, by the mount and by Landlock, each alone`(user: ProbeUser) throws {
    let shown: (ProbeBench) throws -> [String] = { bench in
      let directory = try bench.makeOwnDirectory("shown", mode: 0o777)
      try FileSystem.replaceContents("\(directory)/file", with: Array("x".utf8))
      chmod("\(directory)/file", 0o666)
      return ["--read-only", directory]
    }
    let bench = try ProbeBench(user)
    let options = try shown(bench)
    let directory = "\(bench.directory)/shown"
    if directory.hasPrefix("/tmp/") || directory.hasPrefix("/var/tmp/") {
      print(
        "SKIP: what is shown of /tmp lies in the container, where Landlock allows writing: build elsewhere"
      )
      return
    }
    let attempts = ["write=\(directory)/file", "create=\(directory)"]
    for off in [[], ["readOnly"], ["landlock"]] {
      for result in try bench.attempt(attempts, without: off, options: options) {
        #expect(result.verdict == "refused", "\(result) without \(off)")
      }
    }
    for result in try bench.attempt(attempts, without: ["readOnly", "landlock"], options: options) {
      #expect(result.verdict == "succeeded", "\(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `nothing but plain files and directories can be made in the session directory`(user: ProbeUser) throws
  {
    try expectProtected(
      [
        Attempt("symbolic-link=/session", behind: "filter", "landlock"),
        Attempt("hard-link=/session", behind: "filter"),
        Attempt("fifo=/session", behind: "filter", "landlock"),
        Attempt("bind-path=/session/socket", behind: "filter", "landlock"),
        Attempt("character-device=/session"), Attempt("character-device=/container"),
        Attempt("set-user-id=/session", behind: "filter"), Attempt("set-group-id=/session", behind: "filter"),
        Attempt("set-user-id=/container", behind: "filter"),
        Attempt("set-group-id-directory=/session", behind: "filter"),
        Attempt("set-attribute=/session", behind: "filter"),
      ],
      user: user
    )
    let layers = ["symbolic-link=/session", "fifo=/session", "bind-path=/session/socket"]
    let bench = try ProbeBench(user)
    for off in ["filter", "landlock"] {
      for result in try bench.attempt(layers, without: [off]) {
        #expect(result.verdict == "refused", "\(result) without \(off)")
      }
    }
  }

  @Test(arguments: ProbeUser.available)
  func `nothing that was written can be executed, by the mount and by Landlock`(user: ProbeUser) throws {
    try expectProtected(
      [
        Attempt("execute-written=/session", behind: "noExecution", "landlock"),
        Attempt("execute-written=/container", behind: "noExecution", "landlock"),
        Attempt("map-written=/session", behind: "noExecution", "landlock"),
        Attempt("map-written=/container", behind: "noExecution", "landlock"),
      ],
      user: user
    )
    let bench = try ProbeBench(user)
    let attempts = ["execute-written=/session", "execute-written=/container"]
    for off in ["noExecution", "landlock"] {
      for result in try bench.attempt(attempts, without: [off]) {
        #expect(result.verdict == "refused", "\(result) without \(off)")
      }
    }
  }

  @Test(arguments: ProbeUser.available)
  func `under the strict policy there is no second program and no new code`(user: ProbeUser) throws {
    try expectProtected(
      [
        Attempt("execute-memory", behind: "filter"), Attempt("execute-again", behind: "filter"),
        Attempt("execute-again={program}", behind: "filter"), Attempt("executable-memory", behind: "filter"),
        Attempt("processes=0", behind: "filter"),
      ],
      user: user,
      policy: "strict"
    )
  }
}
