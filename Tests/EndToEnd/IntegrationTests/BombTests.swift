// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of an extension that exhausts resources: the outcome is right, the host responds, and nothing is
/// left behind.
@Suite(.timeLimit(.minutes(20)), .serialized, .waitingInTurn) struct BombTests {
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
  private static let patiently = "linger=50"

  /// Starts the misbehaving program under the policy.
  private func start(_ orders: String, _ place: Place, limits: [String: String] = [:]) throws -> Command {
    // While descriptors are queued in a socket, the host charges all shared memory of the machine to the
    // session. Memory of other tests must not end the session before its files do.
    let memory = orders.contains("unlinked-queued") ? ["memory": "\"16GiB\""] : [:]
    let policy = try place.write("policy.json", Self.policy(memory.merging(limits) { $1 }))
    let program = "\(place.programs.directory)/bin/Misbehaving"
    return try place.startDarkroom(
      "exec",
      ["--app", Place.app, "--policy", policy, "--record", place.file("bomb.json"), "--", program]
        + orders.split(separator: " ").map(String.init)
    )
  }

  /// Runs the program to its end, checks that nothing is left, and returns the record.
  private func explode(
    _ orders: String,
    _ person: Person,
    limits: [String: String] = [:]
  ) throws -> (record: JSONValue, result: Command.Result) {
    guard orders.contains("hidden") || orders.contains("queued"), CurrentProcess.effectiveUserID == 0 else {
      return try explode(orders, at: Place(person), limits)
    }
    // The host estimates unlinked files that it cannot inspect by the usage of the file system. Deletions by
    // other processes would hide the same amount.
    return try #require(try withSmallDisk(person, "size=512m") { try explode(orders, at: $0, limits) })
  }

  private func explode(
    _ orders: String,
    at place: Place,
    _ limits: [String: String]
  ) throws -> (record: JSONValue, result: Command.Result) {
    let result = try start(orders, place, limits: limits).end()
    return (try finish(place, result), result)
  }

  private func finish(_ place: Place, _ result: Command.Result) throws -> JSONValue {
    let record = try place.json(
      try #require(try? FileSystem.contents(place.file("bomb.json")), "no record: \(result.errors)")
    )
    try place.expectNothingLeft()
    return record
  }

  @Test(
    arguments: Person.available,
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
  func `what takes more than it may is ended for it`(person: Person, bomb: (orders: String, rule: String))
    throws
  {
    let (record, result) = try explode("\(Self.patiently) \(bomb.orders)", person)
    #expect(result.code == 77, "\(result.errors)")
    #expect(record["outcome"]?["kind"]?.string == "violated")
    #expect(record["outcome"]?["rule"]?.string == bomb.rule, "\(record["outcome"] ?? .null)")
    if bomb.orders.contains("unlinked") || bomb.orders.contains("temporary") {
      let detail = record["outcome"]?["detail"]?.string ?? ""
      #expect(detail.contains(" of them in files without a name"), "\(detail)")
      let isSaid = detail.hasSuffix(
        ": all that came into use on the file system, as \(Self.doubt(bomb.orders))"
      )
      // The host can see a mapped file before its descriptor is closed.
      let isNamed = try detail.contains(Regex(#" in /session/[^ ]+, which process \d+ keeps\)$"#))
      let isSeen = try detail.contains(Regex(#" in one of process \d+\)$"#))
      #expect(isNamed || isSeen != isSaid, "\(detail)")
      if !bomb.orders.contains("mapped") { #expect(isNamed != isSaid, "\(detail)") }
      if person == .root || !bomb.orders.contains("mapped") {
        let isHidden = person == .ordinary && bomb.orders.contains("hidden")
        #expect(isSaid == (isHidden || bomb.orders.contains("queued")), "\(detail)")
      }
    }
  }

  @Test(arguments: Person.available)
  func `the name of a file that was kept cannot draw on the terminal`(person: Person) throws {
    let place = try Place(person)
    // The shell itself writes most of the data and is still alive when the host looks for the owner.
    let script = """
      cd /session; name=$(printf 'x\\033[31mred\\nline\\342\\200\\256rev'); exec 3>"$name" 4>b; rm "$name" b
      ulimit -S -f "$(ulimit -H -f)"; head -c 8000000 /dev/zero >&3
      text=x; while [ ${#text} -lt 500000 ]; do text=$text$text; done
      for part in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do printf %s "$text" >&4; done; sleep 50; true
      """
    let policy = try place.write("policy.json", Self.policy())
    let words = ["--app", Place.app, "--policy", policy, "--", "/bin/sh", "-c", script]
    let result = try place.startDarkroom("exec", words).end()
    #expect(result.code == 77, "\(result.errors)")
    #expect(result.errors.contains(#"in /session/x\x1b[31mred\nline\u{202e}rev, which"#), "\(result.errors)")
    #expect(!result.errors.contains("\u{1B}") && !result.errors.contains("\u{202E}"))
    try place.expectNothingLeft()
  }

  /// The reason why the host uses the file system's usage for a program with these arguments.
  private static func doubt(_ orders: String) -> String {
    if orders.contains("queued") { return "descriptors wait in sockets of the session (SCM_RIGHTS)" }
    return orders.contains("mapped")
      ? "the host's user is not told how large files are that are only mapped"
      : "the host's user may not look at all of its processes"
  }

  @Test(
    arguments: Person.available,
    [
      ("fork=100 sleep=1500", "processes", "2000"), ("memory=96 sleep=1000", "memory", "\"1GiB\""),
      ("leave=many", "sessionFiles", "5000"), ("bomb=unlinked", "sessionBytes", "\"1GiB\""),
      ("bomb=temporary", "sessionBytes", "\"1GiB\""), ("bomb=unlinked-tree", "sessionBytes", "\"1GiB\""),
      ("bomb=unlinked-mapped", "sessionBytes", "\"1GiB\""), ("bomb=behind-lock", "sessionBytes", "\"1GiB\""),
      ("bomb=unlinked-queued", "sessionBytes", "\"1GiB\""),
    ]
  )
  func `the same goes on where the limit is high enough`(
    person: Person,
    taking: (orders: String, limit: String, value: String)
  ) throws {
    var limits = ["fileSize": "\"1GiB\"", "sessionBytes": "\"8MiB\""]
    let kept = taking.orders.replacing(/sleep=\d+/, with: "sleep=50000")
    let (ended, _) = try explode("\(Self.patiently) \(kept) exit=3", person, limits: limits)
    #expect(ended["outcome"]?["rule"]?.string == taking.limit, "\(ended["outcome"] ?? .null)")
    limits[taking.limit] = taking.value
    let (record, result) = try explode("\(taking.orders) exit=3", person, limits: limits)
    #expect(result.code == 3, "\(result.errors) \(record["outcome"] ?? .null)")
  }

  @Test(arguments: Person.available)
  func `a file grows as far as the session's limit or its own, and the session goes on`(person: Person) throws
  {
    for (limits, bytes) in [
      ([:], 8 << 20), (["fileSize": "\"2MiB\""], 2 << 20), (["sessionBytes": "\"12MiB\""], 12 << 20),
    ] {
      let (record, result) = try explode("fill=session exit=4", person, limits: limits)
      #expect(result.code == 4, "\(record["outcome"] ?? .null)")
      #expect(result.text.contains("fill=session: \(bytes) bytes, EFBIG"), "\(result.text)")
      #expect(record["content"]?["bytes"]?.integer == Int64(bytes))
    }
  }

  @Test(arguments: Person.available)
  func `the places in memory and the descriptors end at their limits, and the session goes on`(person: Person)
    throws
  {
    for place in ["container", "shm", "tmp"] {
      let (record, result) = try explode("fill=\(place) exit=4", person)
      #expect(result.code == 4, "\(record["outcome"] ?? .null)")
      #expect(result.text.contains("fill=\(place): 4194304 bytes, ENOSPC"), "\(result.text)")
    }
    for place in ["container", "shm", "tmp"] {
      let (_, result) = try explode("fill-names=\(place) exit=4", person, limits: ["memory": "\"256MiB\""])
      #expect(result.code == 4)
      #expect(result.text.contains("files, ENOSPC"), "\(result.text)")
    }
    let (_, result) = try explode("descriptors exit=4", person)
    #expect(result.code == 4)
    #expect(result.text.contains("EMFILE"))
  }

  @Test(arguments: Person.available)
  func `space beyond the end of a file is refused`(person: Person) throws {
    let (_, result) = try explode("bomb=allocate", person)
    #expect(result.code == 0)
    #expect(result.text.contains("bomb=allocate: EPERM"), "\(result.text)")
  }

  @Test(
    arguments: Person.available,
    ["spin", "bomb=stop", "ignore-sigterm hang", "bomb=daemon", "bomb=vfork", "bomb=comets"]
  )
  func `what never ends is ended with its time`(person: Person, orders: String) throws {
    let (record, result) = try explode(orders, person, limits: ["wallClock": "\"1s\""])
    #expect(result.code == 124, "\(record["outcome"] ?? .null)")
    #expect(record["outcome"]?["deadline"]?.string == "wallClock")
  }

  @Test(arguments: Person.available)
  func `processor time ends one process, however it spins`(person: Person) throws {
    let (record, result) = try explode("spin", person, limits: ["cpuTime": "\"1s\""])
    #expect(result.code == 77)
    #expect(record["outcome"]?["rule"]?.string == "processorTime")
  }

  @Test(
    arguments: Person.available,
    ["bomb=fork", "spin", "bomb=comets", "bomb=vfork", "flood=stdout", "fill=container hang", "bomb=daemon"]
  )
  func `the host answers meanwhile: another session is run, and ps lists both`(person: Person, orders: String)
    throws
  {
    let place = try Place(person)
    let bomb = try start(orders, place, limits: ["processes": "64", "wallClock": "\"20s\""])
    try bomb.wait(until: { try !place.names("sessions").isEmpty })
    let other = try place.darkroom("exec", ["--app", "org.example.other", "--", "/usr/bin/true"])
    #expect(other.code == 0, "\(other.errors)")
    let listed = try place.darkroom("ps", [])
    #expect(listed.code == 0, "\(listed.errors)")
    bomb.signal(SIGTERM)
    bomb.signal(SIGTERM)
    _ = try bomb.end()
    try place.expectNothingLeft()
  }

  @Test(arguments: Person.available)
  func `a host that is killed amid a bomb leaves no process behind, and recovery clears the rest`(
    person: Person
  )
    throws
  {
    for orders in ["bomb=fork", "bomb=vfork", "bomb=comets", "bomb=daemon"] {
      let place = try Place(person)
      let bomb = try start(orders, place, limits: ["wallClock": "\"20s\""])
      // At least the host, the session init and the extension.
      try bomb.wait(until: { try place.processes().count > 2 })
      bomb.signal(SIGKILL)
      _ = try bomb.end()
      _ = try TestPatience.comes { try place.processes().isEmpty }
      #expect(try place.processes() == [], "\(orders)")
      #expect(try place.darkroom("recover", []).code == 0)
      try place.expectNothingLeft()
    }
  }

  @Test(arguments: Person.available)
  func `the record says what bounded the session, and what was seen of it`(person: Person) throws {
    let (record, _) = try explode("memory=24 sleep=300 exit=0", person)
    let layers = record["enforcement"]?["layers"]?.elements ?? []
    let layer = try #require(layers.first { $0["name"]?.string == "controlGroup" })
    let detail = layer["detail"]?.string ?? ""
    #expect(["enforced", "degraded"].contains(layer["state"]?.string ?? ""))
    #expect(detail.hasPrefix("50331648 bytes of memory, 32 processes"), "\(detail)")
    let seen = detail.split(separator: " at most ").last?.split(separator: " ").first.flatMap { Int($0) }
    #expect(try #require(seen) > 24 << 20, "\(detail)")
  }
}
