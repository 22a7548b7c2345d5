// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxLaunch
import TestSupport
import Testing

/// Launches by a broker with manual plans. `SandboxProtectionTests` runs the attacks of the probe through the
/// broker.
@Suite(.waiting) struct LaunchBrokerTests {
  /// Prints all properties of a sandbox that a shell can observe. Between an unprivileged host and a session,
  /// the outer UID is the broker's own (`DARKROOM_BROKERED_USER`).
  static let survey = """
    grep -vE '^(VmRSS|Rss|VmHWM|VmPeak|VmSize|VmData|VmStk|VmPTE|voluntary|nonvoluntary|Cpus|Mems|SigQ|Name|NStgid)' \
    /proc/self/status | grep -vE '^(Pid|Tgid|NSpid|PPid|NSpgid|NSsid|FDSize|Threads|Vm)'
    cut -d' ' -f4- /proc/self/mountinfo | sort
    ls -A /proc/self/fd; ls -lAn / /dev /session /container 2>&1 | sed -E 's/[A-Z][a-z]{2} +[0-9]+ +[0-9:]+/time/; s/^(d[-rwx]+) +[0-9]+/\\1/; s/ +/ /g'
    cat /context; hostname; ulimit -a; id; pwd; env; umask; cat /proc/self/cgroup
    while read -r inside outside count; do
      echo "maps $inside \(CurrentProcess.effectiveUserID == 0 ? "to $outside" : "to another"), $count"
    done < /proc/self/uid_map
    while read -r inside outside count; do
      echo "maps group $inside \(CurrentProcess.effectiveUserID == 0 ? "to $outside" : "to another"), $count"
    done < /proc/self/gid_map
    unshare --user true 2>&1 | sed 's/^/another user namespace: /'
    for name in cgroup ipc mnt net pid time user uts; do echo "namespace $(readlink /proc/self/ns/$name)"; done
    """

  /// Returns a plan with an item of every kind for the session content at `content`.
  static func plan(_ line: String, content: String, context: String = "{}", output: Int32) -> LaunchPlan {
    var plan = SandboxLauncherTests.plan(line, output: output)
    let owner: RootItem.Scratch.Owner =
      switch plan.identity {
      case .other(let user, let group): .init(user: user, group: group)
      default: .init(user: LaunchPlan.innerUser, group: LaunchPlan.innerUser)
      }
    plan.root.insert(.directory("sys"), at: 0)
    plan.root += [
      .directory("dev"), .file("dev/null", contents: []),
      .bind(source: "/dev/null", target: "dev/null", [.noSetUserID, .noExecution]),
      .directory("session"),
      .bind(source: content, target: "session", [.noSetUserID, .noDevices, .noExecution]),
      .file("context", contents: Array(context.utf8)), .directory("container"),
      .scratch(
        "container",
        .init(bytes: 65536, owner: owner, [.noSetUserID, .noDevices, .noExecution])
      ),
      .ownDirectory("container/home"),
    ]
    plan.files.ownItems = ["/session", "/context"]
    plan.isolation.mountTable = .shown
    plan.limits.userNamespace = NamespaceLimit.standard
    return plan
  }

  /// Launches a plan and returns the output of the extension.
  static func run(
    _ line: String,
    content: String,
    context: String = "{}",
    change: (inout LaunchPlan) -> Void = { _ in },
    by launch: (LaunchPlan) throws -> SandboxedProcess
  ) throws -> String {
    let pipe = try Pipe.make()
    var plan = plan(line, content: content, context: context, output: pipe.writeEnd.rawValue)
    change(&plan)
    let process = try launch(plan)
    let readEnd = pipe.takeReadEnd()
    let text = String(decoding: try readEnd.readAll(limit: 1 << 20) ?? [], as: UTF8.self)
    #expect(process.findings.namespaceLimitsFault == nil)
    #expect(try process.reap().status == .exited(0))
    return text
  }

  /// Runs a function with a temporary directory that all users may enter.
  static func withDirectory<Value>(_ body: (String) throws -> Value) throws -> Value {
    let directory = "/var/tmp/darkroom-broker-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(directory, mode: 0o755)
    defer { try? FileSystem.removeTree(directory) }
    return try body(directory)
  }

  @Test func `a prepared session equals a directly launched one`() throws {
    try Self.withDirectory { content in
      let broker = try LaunchBroker()
      let direct = try Self.run(Self.survey, content: content) { try SandboxLauncher.launch($0) }
      let brokered = try (0..<2).map { _ in
        try Self.brokered(broker) { try Self.run(Self.survey, content: content, by: broker.launch) }
      }
      let (expected, expectedNames) = Self.separated(direct)
      #expect(expected.count > 60)
      // The error comes from the session's namespace limit (NamespaceLimit), because the plan has no filter.
      #expect(
        expected.contains {
          $0.hasPrefix("another user namespace:") && $0.hasSuffix("No space left on device")
        }
      )
      for text in brokered {
        let (lines, names) = Self.separated(text)
        #expect(lines == expected)
        #expect(names.count == expectedNames.count)
      }
    }
  }

  @Test func `a session shares no namespace with the host or another session`() throws {
    try Self.withDirectory { content in
      let broker = try LaunchBroker()
      // The plan does not request a time namespace.
      let line =
        "echo $(for name in \(Self.namespaces.joined(separator: " ")); do readlink /proc/self/ns/$name; done)"
      let pipe = try Pipe.make()
      let plan = Self.plan("\(line); exec sleep 600", content: content, output: pipe.writeEnd.rawValue)
      for _ in 0..<50 { if broker.prepare(plan) { break } }
      // The first session runs until the second has printed, because the kernel reuses namespace numbers.
      let staying = try broker.launch(plan)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
      defer { buffer.deallocate() }
      guard case .bytes(let count) = try pipe.readEnd.read(into: buffer) else {
        Issue.record("the first session has said nothing")
        return
      }
      let first = String(decoding: buffer[..<count], as: UTF8.self)
      let second = try Self.brokered(broker) { try Self.run(line, content: content, by: broker.launch) }
      try staying.kill()
      _ = try staying.reap()
      let host = try Self.namespaces.map { try FileSystem.linkTarget("/proc/self/ns/\($0)") }
      let all = host + [first, second].flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
      #expect(all.count == 21)
      #expect(Set(all).count == all.count, "\(all)")
    }
  }

  /// The time namespace is created with the first process and configured when the session starts.
  @Test func `a session has its own clocks only if its plan requests them, regardless of the preparation`()
    throws
  {
    let host = try FileSystem.linkTarget("/proc/self/ns/time")
    // Older kernels do not support clocks of sessions.
    let requestedClocks: [SessionClocks?] = SessionClocks.areSupported ? [nil, .startingNow()] : [nil]
    try Self.withDirectory { content in
      let broker = try LaunchBroker()
      let null = try FileSystem.open("/dev/null", .readWrite)
      for (before, now) in requestedClocks.flatMap({ before in requestedClocks.map { (before, $0) } }) {
        var prepared = Self.plan("", content: content, output: null.rawValue)
        prepared.isolation.clocks = before
        func launch() throws -> String {
          for _ in 0..<50 { if broker.prepare(prepared) { break } }
          return try Self.run(
            "readlink /proc/self/ns/time; cat /proc/self/timens_offsets",
            content: content,
            change: { $0.isolation.clocks = now },
            by: broker.launch
          )
        }
        let uses = broker.uses
        let isAlike = (before != nil) == (now != nil)
        let text = isAlike ? try Self.brokered(broker, launch) : try launch()
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        try #require(words.count == 7, "\(text)")
        #expect((words[0] != host) == (now != nil), "\(text)")
        #expect(Int64(words[2]) == now?.monotonic ?? 0 && Int64(words[5]) == now?.boottime ?? 0, "\(text)")
        #expect((broker.uses > uses) == isAlike)
      }
    }
  }

  /// Launches until the broker has used a prepared session: it learns from the first launch, and mounts of
  /// other processes make it start over.
  static func brokered<Result>(_ broker: LaunchBroker, _ run: () throws -> Result) throws -> Result {
    for _ in 0..<50 {
      let uses = broker.uses
      let text = try run()
      if broker.uses > uses { return text }
    }
    throw BrokerNotUsed()
  }

  /// The broker has never used a prepared session.
  private struct BrokerNotUsed: Error {}

  private static let namespaces = ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"]

  /// Returns the lines that must be equal and the namespace names, which must differ.
  private static func separated(_ text: String) -> (lines: [String], names: [String]) {
    let lines = text.split(separator: "\n").map(String.init)
    return (lines.filter { !$0.hasPrefix("namespace ") }, lines.filter { $0.hasPrefix("namespace ") })
  }

  @Test func `each session has its own directory and files`() throws {
    try Self.withDirectory { directory in
      let broker = try LaunchBroker()
      for number in 0..<3 {
        let content = "\(directory)/\(number)"
        try FileSystem.makeDirectory(content, mode: 0o755)
        try FileSystem.replaceContents("\(content)/number-\(number)", with: [], mode: 0o644)
        let text = try Self.brokered(broker) {
          try Self.run(
            "cat /context; ls -A /session /container/home; touch /container/home/left",
            content: content,
            context: "context \(number)\n",
            by: broker.launch
          )
        }
        #expect(text == "context \(number)\n/container/home:\n\n/session:\nnumber-\(number)\n")
      }
    }
  }

  @Test func `shows the directory as it is at the launch`() throws {
    try Self.withDirectory { directory in
      let (shown, content) = ("\(directory)/shown", "\(directory)/content")
      try FileSystem.makeDirectory(content, mode: 0o755)
      let broker = try LaunchBroker()
      for round in 0..<3 {
        // A different directory with the same name.
        try FileSystem.makeDirectory("\(shown)-\(round)", mode: 0o755)
        try FileSystem.replaceContents("\(shown)-\(round)/round-\(round)", with: [], mode: 0o644)
        if round > 0 { try FileSystem.rename(shown, to: "\(shown)-was-\(round)", .noReplace) }
        try FileSystem.rename("\(shown)-\(round)", to: shown, .noReplace)
        let text = try Self.run(
          "ls -A /shown",
          content: content,
          change: { $0.root += [.directory("shown"), .layer(source: shown, target: "shown", [.readOnly])] },
          by: broker.launch
        )
        #expect(text == "round-\(round)\n")
        #expect(broker.uses == 0)
      }
    }
  }

  @Test func `distinguishes directories with canonically equivalent names`() throws {
    try Self.withDirectory { directory in
      let content = "\(directory)/content"
      try FileSystem.makeDirectory(content, mode: 0o755)
      // Swift compares both names as equal.
      let names = ["caf\u{E9}", "cafe\u{301}"]
      for (number, name) in names.enumerated() {
        try FileSystem.makeDirectory("\(directory)/\(name)", mode: 0o755)
        try FileSystem.replaceContents("\(directory)/\(name)/\(number)", with: [], mode: 0o644)
      }
      let broker = try LaunchBroker()
      func shown(_ name: String, at target: String) throws -> String {
        try Self.run(
          "ls -A /caf*",
          content: content,
          change: { plan in
            plan.root += [
              .directory(target), .layer(source: "\(directory)/\(name)", target: target, [.readOnly]),
            ]
          },
          by: broker.launch
        )
      }
      for (number, name) in names.enumerated() {
        #expect(try Self.brokered(broker) { try shown(name, at: "caf") } == "\(number)\n")
        // The broker has prepared the other name.
        #expect(try shown(names[1 - number], at: "caf") == "\(1 - number)\n")
      }
      #expect(try Self.brokered(broker) { try shown(names[0], at: names[0]) } == "0\n")
      #expect(try shown(names[0], at: names[1]) == "0\n")
    }
  }

  @Test(arguments: ["the directory", "a directory on the way", "a link"])
  func `shows the current target after a path was replaced`(place: String) throws {
    try Self.withDirectory { directory in
      for path in ["content", "way/shown", "other/shown"] {
        try FileSystem.makeDirectories("\(directory)/\(path)", mode: 0o755)
      }
      for path in ["way", "other"] {
        try FileSystem.replaceContents("\(directory)/\(path)/shown/\(path)", with: [], mode: 0o644)
      }
      try FileSystem.makeSymbolicLink("\(directory)/link", to: "way/shown")
      let shown = "\(directory)/\(place == "a link" ? "link" : "way/shown")"
      let broker = try LaunchBroker()
      func list() throws -> String {
        try Self.run(
          "ls -A /shown",
          content: "\(directory)/content",
          change: { $0.root += [.directory("shown"), .layer(source: shown, target: "shown", [.readOnly])] },
          by: broker.launch
        )
      }
      // Launches until the kernel watch for changes is active.
      for _ in 0..<3 { #expect(try Self.brokered(broker, list) == "way\n") }
      switch place {
      case "the directory":
        try FileSystem.rename("\(directory)/way/shown", to: "\(directory)/other/shown", .exchange)
      case "a link":
        try FileSystem.unlink("\(directory)/link")
        try FileSystem.makeSymbolicLink("\(directory)/link", to: "other/shown")
      default: try FileSystem.rename("\(directory)/way", to: "\(directory)/other", .exchange)
      }
      for _ in 0..<2 { #expect(try list() == "other\n") }
      #expect(try Self.brokered(broker, list) == "other\n")
    }
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can mount"))
  func `shows a mount made after the broker started`() throws {
    try Self.withDirectory { directory in
      let (shown, content) = ("\(directory)/shown", "\(directory)/content")
      for path in [shown, content] { try FileSystem.makeDirectory(path, mode: 0o755) }
      let broker = try LaunchBroker()
      let list = { try Self.list(shown, content: content, by: broker) }
      #expect(try Self.brokered(broker, list) == "")
      try runShell("mount -t tmpfs -o mode=755 darkroom-test \(shown) && touch \(shown)/new")
      defer { try? runShell("umount -l \(shown)") }
      for _ in 0..<4 { #expect(try list() == "new\n") }
      #expect(try Self.brokered(broker, list) == "new\n")
    }
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can mount"))
  func `does not show a mount that was removed while the next session was prepared`() throws {
    try Self.withDirectory { directory in
      let (shown, content) = ("\(directory)/shown", "\(directory)/content")
      for path in [shown, content] { try FileSystem.makeDirectory(path, mode: 0o755) }
      // Shared propagation, as on most machines: mounts also appear in every copy.
      try runShell("mount --bind \(directory) \(directory) && mount --make-shared \(directory)")
      defer { try? runShell("umount -l \(directory)") }
      let broker = try LaunchBroker(delay: 300)
      let list = { try Self.list(shown, content: content, by: broker) }
      #expect(try Self.brokered(broker) { try Self.afterPreparation(broker, list) } == "")
      for _ in 0..<3 {
        try runShell("mount -t tmpfs -o mode=755 darkroom-test \(shown) && touch \(shown)/new")
        let isPrepared = TestTimeout.waitUntil { broker.waitingInit != nil }
        try runShell("umount -l \(shown)")
        #expect(isPrepared)
        // A plan that cannot be prepared triggers the detection of the change.
        let missing = RootItem.bind(source: "\(directory)/missing", target: "shown", [.readOnly])
        #expect(throws: (any Error).self) {
          try Self.run("", content: content, change: { $0.root += [missing] }, by: broker.launch)
        }
        #expect(try list() == "")
        #expect(try Self.brokered(broker) { try Self.afterPreparation(broker, list) } == "")
      }
    }
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can mount"))
  func `does not show a mount that was removed while the broker started`() throws {
    try Self.withDirectory { directory in
      let (shown, content) = ("\(directory)/shown", "\(directory)/content")
      for path in [shown, content] { try FileSystem.makeDirectory(path, mode: 0o755) }
      // A copy of a private mount keeps the mounts at the time of the copy.
      try runShell("mount --bind \(directory) \(directory) && mount --make-private \(directory)")
      defer { try? runShell("umount -l \(directory)") }
      try runShell("mkdir \(directory)/full && touch \(directory)/full/new")
      for _ in 0..<20 {
        // The mount exists for some milliseconds, during which the broker starts.
        let comesAndGoes = "mount --bind \(directory)/full \(shown); umount -l \(shown)"
        try runShell("(\(comesAndGoes)) </dev/null >/dev/null 2>&1 & sleep 0.00\(Int.random(in: 0...5))")
        let broker = try LaunchBroker(delay: 0)
        let list = { try Self.list(shown, content: content, by: broker) }
        _ = try list()
        for _ in 0..<100 where broker.waitingInit == nil { MonotonicClock.sleep(milliseconds: 2) }
        try runShell("while mountpoint -q \(shown); do sleep 0.01; done")
        for _ in 0..<2 { #expect(try Self.afterPreparation(broker, list) == "") }
      }
    }
  }

  /// Returns the names that a session sees in a host directory.
  private static func list(_ shown: String, content: String, by broker: LaunchBroker) throws -> String {
    try run(
      "ls -A /shown",
      content: content,
      change: { $0.root += [.directory("shown"), .layer(source: shown, target: "shown", [.readOnly])] },
      by: broker.launch
    )
  }

  /// Runs a function after the broker has prepared a session or had time for it.
  private static func afterPreparation<Result>(_ broker: LaunchBroker, _ run: () throws -> Result) throws
    -> Result
  {
    for _ in 0..<40 where broker.waitingInit == nil { MonotonicClock.sleep(milliseconds: 20) }
    return try run()
  }

  @Test func `a failed launch reports its step and the next launch succeeds`() throws {
    try Self.withDirectory { content in
      let broker = try LaunchBroker()
      _ = try Self.brokered(broker) { try Self.run("true", content: content, by: broker.launch) }
      var plan = Self.plan("", content: content, output: 2)
      plan.program.path = "/bin/no-such-program"
      let error = #expect(throws: SandboxLaunchError.self) { _ = try broker.launch(plan).reap() }
      #expect(error?.description.contains("/bin/no-such-program") == true)
      plan = Self.plan("", content: "\(content)/missing", output: 2)
      let other = #expect(throws: SandboxLaunchError.self) { _ = try broker.launch(plan).reap() }
      #expect(other?.description.contains("\(content)/missing as /session") == true)
      let text = try Self.brokered(broker) { try Self.run("echo here", content: content, by: broker.launch) }
      #expect(text == "here\n")
    }
  }

  @Test func `launches a plan that differs from the prepared one`() throws {
    try Self.withDirectory { content in
      let broker = try LaunchBroker()
      _ = try Self.brokered(broker) { try Self.run("true", content: content, by: broker.launch) }
      let uses = broker.uses
      for _ in 0..<2 {
        let name = try Self.run(
          "hostname",
          content: content,
          change: { $0.isolation.namespaces.remove(.ipc) },
          by: broker.launch
        )
        #expect(name == "darkroom\n")
      }
      #expect(broker.uses == uses)
    }
  }
}
