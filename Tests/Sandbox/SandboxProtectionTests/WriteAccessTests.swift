// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Write access of a session, and the use of written files.
@Suite(.timeLimit(.minutes(20)), .waiting) struct WriteAccessTests {
  @Test(arguments: ProbeUser.available, ["capture", "strict"])
  func `files and directories can be created in the session directory and the container`(
    user: ProbeUser,
    policy: String
  )
    throws
  {
    let attempts = [
      "create=/session", "create=/container", "make-directory=/session", "make-directory=/container",
    ]
    for result in try ProbeHarness(user).attempt(attempts, policy: policy) {
      #expect(result.verdict == "succeeded", "\(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `no other path is writable`(user: ProbeUser) throws {
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
  func `the mount and Landlock each keep a shown path read-only`(user: ProbeUser) throws {
    let shown: (ProbeHarness) throws -> [String] = { bench in
      let directory = try bench.makeUserDirectory("shown", mode: 0o777)
      try FileSystem.replaceContents("\(directory)/file", with: Array("x".utf8))
      chmod("\(directory)/file", 0o666)
      return ["--read-only", directory]
    }
    let bench = try ProbeHarness(user)
    let options = try shown(bench)
    let directory = "\(bench.directory)/shown"
    if directory.hasPrefix("/tmp/") || directory.hasPrefix("/var/tmp/") {
      print(
        "SKIP: paths below /tmp are in the writable container of the sandbox; build in another directory"
      )
      return
    }
    let attempts = ["write=\(directory)/file", "create=\(directory)"]
    for removed in [[], ["readOnly"], ["landlock"]] {
      for result in try bench.attempt(attempts, without: removed, options: options) {
        #expect(result.verdict == "refused", "\(result) without \(removed)")
      }
    }
    for result in try bench.attempt(attempts, without: ["readOnly", "landlock"], options: options) {
      #expect(result.verdict == "succeeded", "\(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `only regular files and directories can be created in the session directory`(user: ProbeUser) throws {
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
    let bench = try ProbeHarness(user)
    for removed in ["filter", "landlock"] {
      for result in try bench.attempt(layers, without: [removed]) {
        #expect(result.verdict == "refused", "\(result) without \(removed)")
      }
    }
  }

  @Test(arguments: ProbeUser.available)
  func `the mount and Landlock each prevent the execution of written files`(user: ProbeUser) throws {
    try expectProtected(
      [
        Attempt("execute-written=/session", behind: "noExecution", "landlock"),
        Attempt("execute-written=/container", behind: "noExecution", "landlock"),
        Attempt("map-written=/session", behind: "noExecution", "landlock"),
        Attempt("map-written=/container", behind: "noExecution", "landlock"),
      ],
      user: user
    )
    let bench = try ProbeHarness(user)
    let attempts = ["execute-written=/session", "execute-written=/container"]
    for removed in ["noExecution", "landlock"] {
      for result in try bench.attempt(attempts, without: [removed]) {
        #expect(result.verdict == "refused", "\(result) without \(removed)")
      }
    }
  }

  @Test(arguments: ProbeUser.available)
  func `the strict policy allows no second program and no new code`(user: ProbeUser) throws {
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
