// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the misbehaving extension in the sandbox. Its README lists the orders.
@Suite(.timeLimit(.minutes(20)), .waiting) struct MisbehavingExtensionTests {
  /// Runs the extension with the given orders. A script dismisses the session after them, or much later if
  /// they end it.
  private func run(
    _ orders: String,
    _ user: TestUser,
    waiting: String? = nil,
    grace: String = "20s",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> TestHome.Session {
    let home = try TestHome(user)
    try home.installWithoutSwift(sourceLocation: sourceLocation)
    let context = try home.darkroom("context", ["set", TestHome.app, "\"\(orders)\""])
    try #require(context.code == 0, "\(context.errors)", sourceLocation: sourceLocation)
    let endsItself = ["exit=", "crash="].contains { orders.contains($0) }
    return try home.run(
      "misbehaving",
      script: "\(waiting ?? (endsItself ? "wait 60s" : "wait 1s"))\ndismiss\n",
      options: ["--grace", grace],
      sourceLocation: sourceLocation
    )
  }

  @Test(
    arguments: TestUser.available,
    [("abort", 6), ("segv", 11), ("ill", 4), ("fpe", 8), ("term", 15), ("kill", 9), ("pipe", 13)]
      as [(String, Int32)]
  )
  func `records a fatal signal of the extension as the outcome and the exit code`(
    user: TestUser,
    crash: (name: String, number: Int32)
  ) throws {
    let session = try run("crash=\(crash.name)", user)
    #expect(session.command.code == 128 + crash.number)
    #expect(session.outcome == "signaled")
    #expect(session.record["outcome"]?["signal"]?.integer == Int64(crash.number))
  }

  @Test(arguments: TestUser.available, [0, 7, 126, 255] as [Int32])
  func `passes the exit code of the extension through`(user: TestUser, code: Int32) throws {
    let session = try run("exit=\(code)", user)
    #expect(session.command.code == code)
    #expect(session.record["outcome"] == ["kind": "completed", "exitCode": .integer(Int64(code))])
  }

  @Test(arguments: TestUser.available, ["hang", "spin", "ignore-sigterm"])
  func `terminates an extension that ignores its dismissal after the grace period`(
    user: TestUser,
    order: String
  ) throws {
    let session = try run(order, user, grace: "300ms")
    #expect(session.command.code == 124)
    #expect(
      session.record["outcome"] == ["kind": "dismissed", "by": "user", "ending": ["kind": "timedOut"]]
    )
  }

  @Test(arguments: TestUser.available)
  func `terminates leftover processes and bounds resources of the extension`(user: TestUser)
    throws
  {
    // Every run checks that no process is left.
    #expect(try run("fork-outlive fork=40 exit=0", user).command.errors.contains("fork=40: 40"))
    let greedy = try run("fork=1000 exit=0", user)
    #expect(greedy.command.code == 0)
    #expect(!greedy.command.errors.contains("fork=1000: 1000"))
    #expect(try run("descriptors exit=0", user).command.errors.contains("EMFILE"))
    #expect(
      try run("fill=container exit=0", user).command.errors.contains(
        "fill=container: 268435456 bytes, ENOSPC"
      )
    )
  }

  @Test(arguments: TestUser.available)
  func `an extension can request its own dismissal`(user: TestUser) throws {
    let session = try run("dismiss", user, waiting: "wait 60s")
    #expect(session.command.code == 0)
    #expect(session.record["outcome"]?["by"]?.string == "extension")
  }

  @Test(arguments: TestUser.available, ["stdout", "stderr"])
  func `discards output beyond the limit, and the session continues`(user: TestUser, stream: String)
    throws
  {
    let session = try run("flood=\(stream)", user, grace: "300ms")
    #expect(session.record["outcome"]?["by"]?.string == "user")
    #expect(session.record["log"]?["truncated"] == true)
    #expect(session.command.errors.utf8.count < 5 << 20)
  }

  @Test(
    arguments: TestUser.available,
    [
      ("early", "the first message"), ("version", "version 99"), ("flood=protocol", "messages per second"),
      ("protocol=garbage", "not valid JSON"), ("protocol=utf8", "not UTF-8"),
      ("protocol=oversize", "65536 bytes"),
      ("protocol=endless", "65536 bytes"), ("protocol=deep", "32 levels deep"),
      ("protocol=slow", "within 5 seconds"),
      ("protocol=batch", "array of messages"), ("protocol=params", "params.delivery"),
      ("protocol=reply", "belongs to no pending request"),
    ]
  )
  func `a protocol violation ends the session with a message that names it`(
    user: TestUser,
    order: (arguments: String, sentence: String)
  ) throws {
    let session = try run(order.arguments, user, waiting: "wait 60s")
    #expect(session.command.code == 76)
    #expect(session.outcome == "protocolViolation")
    let sentence = session.record["outcome"]?["sentence"]?.string ?? ""
    #expect(sentence.contains(order.sentence), "\(sentence)")
    #expect(session.command.errors.contains(sentence))
  }

  @Test(arguments: TestUser.available, ["protocol=unknown", "protocol=context"])
  func `the session continues after a request that the host refuses`(user: TestUser, order: String) throws {
    let session = try run(order, user)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.record["outcome"]?["by"]?.string == "user")
  }

  @Test(arguments: TestUser.available)
  func `refuses calls that would leave the sandbox, and the session continues`(user: TestUser) throws {
    let refused = [
      "socket-inet", "socket-unix", "socket-netlink", "unshare-user", "unshare-net", "clone-user", "mount",
      "umount", "pivot-root", "chroot", "setns", "ptrace", "bpf", "perf", "keyctl", "add-key", "io-uring",
      "userfaultfd",
      "open-by-handle", "process-vm", "personality", "tiocsti", "setuid", "seccomp", "kill-init", "hostname",
      "settime",
      "module", "swap",
    ]
    let others = [
      "clone3": "ENOSYS", "write-extension": "EROFS", "read-shadow": "ENOENT", "write-root": "EROFS",
    ]
    let names = refused + others.keys.sorted()
    let orders = (names.map { "call=\($0)" } + ["leave=file", "exit=5"]).joined(separator: " ")
    let session = try run(orders, user)
    #expect(session.command.code == 5)
    #expect(session.files == ["file"])
    let lines = Set(session.command.errors.split(separator: "\n").map(String.init))
    for name in names {
      #expect(lines.contains("call=\(name): \(others[name] ?? "EPERM")"), "\(lines.sorted())")
    }
  }

  @Test(arguments: TestUser.available)
  func `refuses special files, sanitizes unusual ones, and delivers every other file`(user: TestUser) throws {
    let refused = [
      "symlink", "absolute-symlink", "directory-symlink", "fifo", "socket", "hardlink", "device", "setuid",
      "setgid",
      "sticky",
    ]
    let left = ["file", "mode0", "mode0-directory", "read-only-directory", "deep", "names", "locked"]
    let orders = (refused + left).map { "leave=\($0)" }.joined(separator: " ")
    let session = try run("\(orders) exit=0", user)
    #expect(session.command.code == 0, "\(session.command.errors)")
    let lines = Set(session.command.errors.split(separator: "\n").map(String.init))
    for name in refused { #expect(lines.contains("leave=\(name): EPERM"), "\(lines.sorted())") }
    for name in left { #expect(lines.contains("leave=\(name): ok"), "\(lines.sorted())") }
    #expect(
      session.files.isSuperset(of: [
        "file", "mode0", "mode0-directory/inside", "%2Drf", "%2E%2E%2E", "locked",
      ])
    )
    let deep = Array(repeating: "deep", count: 65).joined(separator: "/")
    #expect(session.quarantined == [deep: "tooDeep"])
    #expect(
      session.renamed == [
        "%2Drf": "-rf", "quote%22%27%24(touch x)": #"quote"'$(touch x)"#,
        "escape%1B%5B2J%1B%5D0;title%07": #"escape\x1b[2J\x1b]0;title\x07"#,
        "new%0Aline": #"new\x0aline"#,
        "override%E2%80%AEgpj.exe": #"override\xe2\x80\xaegpj.exe"#,
        "tab%09bed": #"tab\x09bed"#,
        "%FF%FE not UTF-8": #"\xff\xfe not UTF-8"#,
        "%2E%2E%2E": "...", "%20": " ",
      ]
    )
    #expect(session.files.isSuperset(of: session.renamed.keys))
    // The record is printed escaped, so it cannot control a terminal.
    #expect(!session.command.errors.contains("\u{1B}"))
  }

  @Test(arguments: TestUser.available)
  func `a write beyond the file size limit fails, and other content is delivered`(user: TestUser)
    throws
  {
    let session = try run("leave=file leave=sparse exit=0", user)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.outcome == "completed")
    #expect(session.files.contains("file"))
  }

  @Test(arguments: TestUser.available)
  func `records how an extension ended before it answered`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.installWithoutSwift()
    for (name, code, kind) in [
      ("crashes", 139, "signaled"), ("quits", 3, "completed"), ("slips", 76, "protocolViolation"),
    ] {
      let session = try home.run(name, script: "dismiss")
      #expect(session.command.code == code, "\(name): \(session.command.errors)")
      #expect(session.outcome == kind)
    }
    let silent = try home.run("silent", script: "wait 60s")
    #expect(silent.command.code == 124)
    #expect(silent.record["outcome"] == ["kind": "timedOut", "deadline": "launch"])
  }
}
