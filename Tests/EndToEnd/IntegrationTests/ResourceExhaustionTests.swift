// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of an extension that exhausts resources: the outcome is right, the host responds, and nothing is
/// left behind.
@Suite(.timeLimit(.minutes(20)), .serialized, .waitingSerially) struct ResourceExhaustionTests {
  /// Returns a policy with low limits, so that each load reaches one of them soon.
  private static func policy(_ limits: [String: String] = [:]) -> String {
    let standard = [
      "memory": "\"48MiB\"", "processes": "32", "descriptors": "64", "sessionBytes": "\"8MiB\"",
      "sessionFiles": "300", "wallClock": "\"60s\"", "outputBytes": "\"1MiB\"",
    ]
    let all = standard.merging(limits) { $1 }.sorted { $0.key < $1.key }
    return """
      {"name": "bombs", "extends": "capture", "scratch": {"size": "4MiB"},
       "limits": {\(all.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", "))}}
      """
  }

  /// Makes the extension hold its resources until the host has measured them, for less than the wall-clock
  /// limit.
  private static let lingering = "linger=50"

  /// Starts the misbehaving program under the policy.
  private func start(_ orders: String, _ home: TestHome, limits: [String: String] = [:]) throws -> Command {
    // While descriptors are queued in a socket, the host charges all shared memory of the machine to the
    // session. Memory of other tests must not end the session before its files do.
    let memory = orders.contains("unlinked-queued") ? ["memory": "\"16GiB\""] : [:]
    let policy = try home.write("policy.json", Self.policy(memory.merging(limits) { $1 }))
    let program = "\(home.programs.directory)/bin/Misbehaving"
    return try home.startDarkroom(
      "exec",
      ["--app", TestHome.app, "--policy", policy, "--record", home.file("bomb.json"), "--", program]
        + orders.split(separator: " ").map(String.init)
    )
  }

  /// Runs the program to its end, checks that nothing is left, and returns the record.
  private func explode(
    _ orders: String,
    _ user: TestUser,
    limits: [String: String] = [:]
  ) throws -> (record: JSONValue, result: Command.Result) {
    guard orders.contains("hidden") || orders.contains("queued"), CurrentProcess.effectiveUserID == 0 else {
      return try explode(orders, at: TestHome(user), limits)
    }
    // The host estimates unlinked files that it cannot inspect by the usage of the file system. Deletions by
    // other processes would hide the same amount.
    return try #require(try withSmallDisk(user, "size=512m") { try explode(orders, at: $0, limits) })
  }

  private func explode(
    _ orders: String,
    at home: TestHome,
    _ limits: [String: String]
  ) throws -> (record: JSONValue, result: Command.Result) {
    let result = try start(orders, home, limits: limits).end()
    return (try finish(home, result), result)
  }

  private func finish(_ home: TestHome, _ result: Command.Result) throws -> JSONValue {
    let record = try home.json(
      try #require(try? FileSystem.contents(home.file("bomb.json")), "no record: \(result.errors)")
    )
    try home.expectNothingLeft()
    return record
  }

  @Test(
    arguments: TestUser.available,
    [
      ("bomb=fork", "processes"), ("fork=1000 hang", "processes"), ("bomb=memory", "memory"),
      ("bomb=memory-tree", "memory"), ("bomb=memory-files", "memory"),
      ("bomb=sparse", "sessionBytes"), ("fill-names=session", "sessionFiles"), ("bomb=nest", "sessionFiles"),
      ("bomb=unlinked", "sessionBytes"), ("bomb=temporary", "sessionBytes"),
      ("bomb=unlinked-tree", "sessionBytes"), ("bomb=unlinked-mapped", "sessionBytes"),
      ("bomb=unlinked-thread", "sessionBytes"), ("bomb=unlinked-hidden", "sessionBytes"),
      ("bomb=behind-lock", "sessionBytes"), ("bomb=memory-thread", "memory"),
      ("bomb=unlinked-queued", "sessionBytes"), ("bomb=memory-queued", "memory"), ("bomb=sockets", "memory"),
    ]
  )
  func `terminates a session that exceeds a limit, and records the limit`(
    user: TestUser,
    bomb: (orders: String, rule: String)
  )
    throws
  {
    let (record, result) = try explode("\(Self.lingering) \(bomb.orders)", user)
    #expect(result.code == 77, "\(result.errors)")
    #expect(record["outcome"]?["kind"]?.string == "violated")
    #expect(record["outcome"]?["rule"]?.string == bomb.rule, "\(record["outcome"] ?? .null)")
    if bomb.orders.contains("unlinked") || bomb.orders.contains("temporary") {
      let detail = record["outcome"]?["detail"]?.string ?? ""
      #expect(detail.contains(" of them in unlinked files"), "\(detail)")
      let isUncertain = detail.hasSuffix(
        ", estimated from the file system because \(Self.uncertainty(bomb.orders))"
      )
      // The host can see a mapped file before its descriptor is closed.
      let isNamed = try detail.contains(Regex(#" in /session/[^ ]+, which process \d+ keeps open\)$"#))
      let isLocated = try detail.contains(Regex(#" in a file of process \d+\)$"#))
      #expect(isNamed || isLocated != isUncertain, "\(detail)")
      if !bomb.orders.contains("mapped") { #expect(isNamed != isUncertain, "\(detail)") }
      if user == .root || !bomb.orders.contains("mapped") {
        let isHidden = user == .regular && bomb.orders.contains("hidden")
        #expect(isUncertain == (isHidden || bomb.orders.contains("queued")), "\(detail)")
      }
    }
  }

  @Test(arguments: TestUser.available)
  func `escapes control characters in the reported name of an open unlinked file`(user: TestUser) throws {
    let home = try TestHome(user)
    // The shell itself writes most of the data and is still alive when the host looks for the owner.
    let script = """
      cd /session; name=$(printf 'x\\033[31mred\\nline\\342\\200\\256rev'); exec 3>"$name" 4>b; rm "$name" b
      ulimit -S -f "$(ulimit -H -f)"; head -c 8000000 /dev/zero >&3
      text=x; while [ ${#text} -lt 500000 ]; do text=$text$text; done
      for part in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do printf %s "$text" >&4; done; sleep 50; true
      """
    let policy = try home.write("policy.json", Self.policy())
    let arguments = ["--app", TestHome.app, "--policy", policy, "--", "/bin/sh", "-c", script]
    let result = try home.startDarkroom("exec", arguments).end()
    #expect(result.code == 77, "\(result.errors)")
    #expect(result.errors.contains(#"in /session/x\x1b[31mred\nline\u{202e}rev, which"#), "\(result.errors)")
    #expect(!result.errors.contains("\u{1B}") && !result.errors.contains("\u{202E}"))
    try home.expectNothingLeft()
  }

  /// The reason why the host uses the file system's usage for a program with these arguments.
  private static func uncertainty(_ orders: String) -> String {
    if orders.contains("queued") {
      return "file descriptors are queued in sockets of the session (SCM_RIGHTS)"
    }
    return orders.contains("mapped")
      ? "the host cannot determine the size of files that are only mapped"
      : "the host may not inspect all processes of the session"
  }

  @Test(
    arguments: TestUser.available,
    [
      ("fork=100 sleep=1500", "processes", "2000"), ("memory=96 sleep=1000", "memory", "\"1GiB\""),
      ("leave=many", "sessionFiles", "5000"), ("bomb=unlinked", "sessionBytes", "\"1GiB\""),
      ("bomb=temporary", "sessionBytes", "\"1GiB\""), ("bomb=unlinked-tree", "sessionBytes", "\"1GiB\""),
      ("bomb=unlinked-mapped", "sessionBytes", "\"1GiB\""), ("bomb=behind-lock", "sessionBytes", "\"1GiB\""),
      ("bomb=unlinked-queued", "sessionBytes", "\"1GiB\""),
    ]
  )
  func `the same loads succeed under higher limits (control)`(
    user: TestUser,
    load: (orders: String, limit: String, value: String)
  ) throws {
    var limits = ["fileSize": "\"1GiB\"", "sessionBytes": "\"8MiB\""]
    let kept = load.orders.replacing(/sleep=\d+/, with: "sleep=50000")
    let (ended, _) = try explode("\(Self.lingering) \(kept) exit=3", user, limits: limits)
    #expect(ended["outcome"]?["rule"]?.string == load.limit, "\(ended["outcome"] ?? .null)")
    limits[load.limit] = load.value
    let (record, result) = try explode("\(load.orders) exit=3", user, limits: limits)
    #expect(result.code == 3, "\(result.errors) \(record["outcome"] ?? .null)")
  }

  @Test(arguments: TestUser.available)
  func `file writes beyond a size limit fail with EFBIG, and the session continues`(user: TestUser) throws {
    for (limits, bytes) in [
      ([:], 8 << 20), (["fileSize": "\"2MiB\""], 2 << 20), (["sessionBytes": "\"12MiB\""], 12 << 20),
    ] {
      let (record, result) = try explode("fill=session exit=4", user, limits: limits)
      #expect(result.code == 4, "\(record["outcome"] ?? .null)")
      #expect(result.text.contains("fill=session: \(bytes) bytes, EFBIG"), "\(result.text)")
      #expect(record["content"]?["bytes"]?.integer == Int64(bytes))
    }
  }

  @Test(arguments: TestUser.available)
  func `writes beyond a tmpfs or descriptor limit fail, and the session continues`(user: TestUser)
    throws
  {
    for home in ["container", "shm", "tmp"] {
      let (record, result) = try explode("fill=\(home) exit=4", user)
      #expect(result.code == 4, "\(record["outcome"] ?? .null)")
      #expect(result.text.contains("fill=\(home): 4194304 bytes, ENOSPC"), "\(result.text)")
    }
    for home in ["container", "shm", "tmp"] {
      let (_, result) = try explode("fill-names=\(home) exit=4", user, limits: ["memory": "\"256MiB\""])
      #expect(result.code == 4)
      #expect(result.text.contains("files, ENOSPC"), "\(result.text)")
    }
    let (_, result) = try explode("descriptors exit=4", user)
    #expect(result.code == 4)
    #expect(result.text.contains("EMFILE"))
  }

  @Test(arguments: TestUser.available)
  func `refuses fallocate beyond the end of a file`(user: TestUser) throws {
    let (_, result) = try explode("bomb=allocate", user)
    #expect(result.code == 0)
    #expect(result.text.contains("bomb=allocate: EPERM"), "\(result.text)")
  }

  @Test(
    arguments: TestUser.available,
    ["spin", "bomb=stop", "ignore-sigterm hang", "bomb=daemon", "bomb=vfork", "bomb=comets"]
  )
  func `terminates a session that does not exit within the wall-clock limit`(user: TestUser, orders: String)
    throws
  {
    let (record, result) = try explode(orders, user, limits: ["wallClock": "\"1s\""])
    #expect(result.code == 124, "\(record["outcome"] ?? .null)")
    #expect(record["outcome"]?["deadline"]?.string == "wallClock")
  }

  @Test(arguments: TestUser.available)
  func `terminates a process that exceeds the processor time limit`(user: TestUser) throws {
    let (record, result) = try explode("spin", user, limits: ["cpuTime": "\"1s\""])
    #expect(result.code == 77)
    #expect(record["outcome"]?["rule"]?.string == "processorTime")
  }

  @Test(
    arguments: TestUser.available,
    ["bomb=fork", "spin", "bomb=comets", "bomb=vfork", "flood=stdout", "fill=container hang", "bomb=daemon"]
  )
  func `runs another session and lists both while one session exhausts its limits`(
    user: TestUser,
    orders: String
  )
    throws
  {
    let home = try TestHome(user)
    let bomb = try start(orders, home, limits: ["processes": "64", "wallClock": "\"20s\""])
    try bomb.wait(until: { try !home.names("sessions").isEmpty })
    let other = try home.darkroom("exec", ["--app", "org.example.other", "--", "/usr/bin/true"])
    #expect(other.code == 0, "\(other.errors)")
    let listed = try home.darkroom("ps", [])
    #expect(listed.code == 0, "\(listed.errors)")
    bomb.signal(SIGTERM)
    bomb.signal(SIGTERM)
    _ = try bomb.end()
    try home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `leaves no process if a host is killed during a fork bomb, and recovery cleans up`(
    user: TestUser
  )
    throws
  {
    for orders in ["bomb=fork", "bomb=vfork", "bomb=comets", "bomb=daemon"] {
      let home = try TestHome(user)
      let bomb = try start(orders, home, limits: ["wallClock": "\"20s\""])
      // At least the host, the session init and the extension.
      try bomb.wait(until: { try home.processes().count > 2 })
      bomb.signal(SIGKILL)
      _ = try bomb.end()
      _ = try TestTimeout.waitUntil { try home.processes().isEmpty }
      #expect(try home.processes() == [], "\(orders)")
      #expect(try home.darkroom("recover", []).code == 0)
      try home.expectNothingLeft()
    }
  }

  @Test(arguments: TestUser.available)
  func `records the memory and process limits of a session and the peak use of memory`(user: TestUser) throws
  {
    let (record, _) = try explode("memory=24 sleep=300 exit=0", user)
    let layers = record["enforcement"]?["layers"]?.elements ?? []
    let layer = try #require(layers.first { $0["name"]?.string == "controlGroup" })
    let detail = layer["detail"]?.string ?? ""
    #expect(["enforced", "degraded"].contains(layer["state"]?.string ?? ""))
    #expect(detail.hasPrefix("50331648 bytes of memory, 32 processes"), "\(detail)")
    let seen = detail.split(separator: " at most ").last?.split(separator: " ").first.flatMap { Int($0) }
    #expect(try #require(seen) > 24 << 20, "\(detail)")
  }
}
