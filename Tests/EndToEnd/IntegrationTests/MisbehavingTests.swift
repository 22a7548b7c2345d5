// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the misbehaving extension in the sandbox. Its README lists the orders.
@Suite(.timeLimit(.minutes(20)), .waiting) struct MisbehavingTests {
  /// Runs the extension with the given orders. A script dismisses the session after them, or much later if
  /// they end it.
  private func play(
    _ orders: String,
    _ person: Person,
    waiting: String? = nil,
    grace: String = "20s",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Place.Session {
    let place = try Place(person)
    try place.installSmall(sourceLocation: sourceLocation)
    let context = try place.darkroom("context", ["set", Place.app, "\"\(orders)\""])
    try #require(context.code == 0, "\(context.errors)", sourceLocation: sourceLocation)
    let endsItself = ["exit=", "crash="].contains { orders.contains($0) }
    return try place.run(
      "misbehaving",
      script: "\(waiting ?? (endsItself ? "wait 60s" : "wait 1s"))\ndismiss\n",
      options: ["--grace", grace],
      sourceLocation: sourceLocation
    )
  }

  @Test(
    arguments: Person.available,
    [("abort", 6), ("segv", 11), ("ill", 4), ("fpe", 8), ("term", 15), ("kill", 9), ("pipe", 13)]
      as [(String, Int32)]
  )
  func `a signal that ends the extension is the outcome, and the exit code`(
    person: Person,
    crash: (name: String, number: Int32)
  ) throws {
    let session = try play("crash=\(crash.name)", person)
    #expect(session.command.code == 128 + crash.number)
    #expect(session.outcome == "signaled")
    #expect(session.record["outcome"]?["signal"]?.integer == Int64(crash.number))
  }

  @Test(arguments: Person.available, [0, 7, 126, 255] as [Int32])
  func `an exit code of the extension's is passed on`(person: Person, code: Int32) throws {
    let session = try play("exit=\(code)", person)
    #expect(session.command.code == code)
    #expect(session.record["outcome"] == ["kind": "completed", "exitCode": .integer(Int64(code))])
  }

  @Test(arguments: Person.available, ["hang", "spin", "ignore-sigterm"])
  func `an extension that ignores its dismissal is ended when its grace is over`(
    person: Person,
    order: String
  ) throws {
    let session = try play(order, person, grace: "300ms")
    #expect(session.command.code == 124)
    #expect(
      session.record["outcome"] == ["kind": "dismissed", "by": "person", "ending": ["kind": "outstayed"]]
    )
  }

  @Test(arguments: Person.available)
  func `processes that the extension leaves, and whatever it takes, end with the session`(person: Person)
    throws
  {
    // Every run checks that no process is left.
    #expect(try play("fork-outlive fork=40 exit=0", person).command.errors.contains("fork=40: 40"))
    let greedy = try play("fork=1000 exit=0", person)
    #expect(greedy.command.code == 0)
    #expect(!greedy.command.errors.contains("fork=1000: 1000"))
    #expect(try play("descriptors exit=0", person).command.errors.contains("EMFILE"))
    #expect(
      try play("fill=container exit=0", person).command.errors.contains(
        "fill=container: 268435456 bytes, ENOSPC"
      )
    )
  }

  @Test(arguments: Person.available)
  func `an extension can ask for its own dismissal`(person: Person) throws {
    let session = try play("dismiss", person, waiting: "wait 60s")
    #expect(session.command.code == 0)
    #expect(session.record["outcome"]?["by"]?.string == "extension")
  }

  @Test(arguments: Person.available, ["stdout", "stderr"])
  func `output beyond the limit is thrown away, and the session goes on`(person: Person, stream: String)
    throws
  {
    let session = try play("flood=\(stream)", person, grace: "300ms")
    #expect(session.record["outcome"]?["by"]?.string == "person")
    #expect(session.record["log"]?["truncated"] == true)
    #expect(session.command.errors.utf8.count < 5 << 20)
  }

  @Test(
    arguments: Person.available,
    [
      ("early", "its first message"), ("version", "version 99"), ("flood=protocol", "messages a second"),
      ("protocol=garbage", "not a JSON value"), ("protocol=utf8", "not UTF-8"),
      ("protocol=oversize", "65536 bytes"),
      ("protocol=endless", "65536 bytes"), ("protocol=deep", "32 deep"),
      ("protocol=slow", "within 5 seconds"),
      ("protocol=batch", "array of messages"), ("protocol=params", "params.delivery"),
      ("protocol=reply", "not waiting for a reply"),
    ]
  )
  func `what is not the protocol ends the session, and a sentence says what it was`(
    person: Person,
    order: (words: String, sentence: String)
  ) throws {
    let session = try play(order.words, person, waiting: "wait 60s")
    #expect(session.command.code == 76)
    #expect(session.outcome == "protocolViolation")
    let sentence = session.record["outcome"]?["sentence"]?.string ?? ""
    #expect(sentence.contains(order.sentence), "\(sentence)")
    #expect(session.command.errors.contains(sentence))
  }

  @Test(arguments: Person.available, ["protocol=unknown", "protocol=context"])
  func `what the host can refuse does not end the session`(person: Person, order: String) throws {
    let session = try play(order, person)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.record["outcome"]?["by"]?.string == "person")
  }

  @Test(arguments: Person.available)
  func `calls that lead out of the sandbox are refused, and the session goes on`(person: Person) throws {
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
    let session = try play(orders, person)
    #expect(session.command.code == 5)
    #expect(session.files == ["file"])
    let lines = Set(session.command.errors.split(separator: "\n").map(String.init))
    for name in names {
      #expect(lines.contains("call=\(name): \(others[name] ?? "EPERM")"), "\(lines.sorted())")
    }
  }

  @Test(arguments: Person.available)
  func `odd files are refused or made ordinary, and all arrive`(person: Person) throws {
    let refused = [
      "symlink", "absolute-symlink", "directory-symlink", "fifo", "socket", "hardlink", "device", "setuid",
      "setgid",
      "sticky",
    ]
    let left = ["file", "mode0", "mode0-directory", "read-only-directory", "deep", "names", "locked"]
    let orders = (refused + left).map { "leave=\($0)" }.joined(separator: " ")
    let session = try play("\(orders) exit=0", person)
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

  @Test(arguments: Person.available)
  func `a file larger than allowed is an error, and what was captured arrives`(person: Person)
    throws
  {
    let session = try play("leave=file leave=sparse exit=0", person)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.outcome == "completed")
    #expect(session.files.contains("file"))
  }

  @Test(arguments: Person.available)
  func `an extension that ends before it has answered tells how`(person: Person) throws {
    let place = try Place(person)
    try place.installSmall()
    for (name, code, kind) in [
      ("crashes", 139, "signaled"), ("quits", 3, "completed"), ("slips", 76, "protocolViolation"),
    ] {
      let session = try place.run(name, script: "dismiss")
      #expect(session.command.code == code, "\(name): \(session.command.errors)")
      #expect(session.outcome == kind)
    }
    let silent = try place.run("silent", script: "wait 60s")
    #expect(silent.command.code == 124)
    #expect(silent.record["outcome"] == ["kind": "timedOut", "deadline": "launch"])
  }
}
