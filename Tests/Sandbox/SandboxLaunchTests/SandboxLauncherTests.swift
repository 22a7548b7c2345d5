// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SandboxLaunch
import Synchronization
import TestSupport
import Testing

/// The launcher with manual plans; the planner and the policies have their own tests.
@Suite struct SandboxLauncherTests {
  /// Returns a plan that shows `/usr` and runs a shell command with its output at `output`.
  static func plan(_ line: String, output: Int32) -> LaunchPlan {
    let isRoot = CurrentProcess.effectiveUserID == 0
    return LaunchPlan(
      identity: isRoot ? .other(user: 1_879_048_192, group: 1_879_048_192) : .caller,
      isolation: .init(namespaces: .all, hostname: "darkroom"),
      files: .init([
        .directory("usr"), .bind(source: "/usr", target: "usr", [.readOnly, .noSetUserID, .noDevices]),
        .symbolicLink("bin", to: "usr/bin"), .symbolicLink("lib", to: "usr/lib"),
        .symbolicLink("lib64", to: "usr/lib64"), .directory("proc"),
        .processes("proc", options: "subset=pid"),
      ]),
      descriptors: [output, output, output],
      limits: .init([.init(.descriptors, 256)]),
      restrictions: .init(landlock: nil, filter: [], refusals: .silent, lastCapability: 40),
      program: .init(
        "/bin/sh",
        ["sh", "-c", line],
        environment: [.init("PATH", "/usr/bin:/bin")],
        workingDirectory: "/"
      )
    )
  }

  /// Runs a shell command in a sandbox.
  static func run(_ line: String) throws -> (ending: ExitReport, output: String) {
    let pipe = try Pipe.make()
    let process = try SandboxLauncher.launch(plan(line, output: pipe.writeEnd.rawValue))
    let readEnd = pipe.takeReadEnd()
    let output = try readEnd.readAll(limit: 1 << 20) ?? []
    return (try process.reap(), String(decoding: output, as: UTF8.self))
  }

  @Test(arguments: [
    ("exit 7", LinuxPrimitives.ExitStatus.exited(7)), ("kill -TERM $$", .signaled(.terminate)),
    ("kill -ABRT $$", .signaled(.abort)),
    ("kill -KILL $$", .signaled(.kill)), ("true", .exited(0)),
  ])
  func `reports the exit status or signal of the extension`(line: String, status: LinuxPrimitives.ExitStatus)
    throws
  {
    #expect(try Self.run(line).ending.status == status)
  }

  @Test func `the total time of all steps is at most the launch time`() throws {
    let null = try FileSystem.open("/dev/null", .readWrite)
    for _ in 0..<20 {
      let began = MonotonicClock.now
      let process = try SandboxLauncher.launch(Self.plan("true", output: null.rawValue))
      let took = MonotonicClock.now - began
      #expect(process.findings.totalDuration > 0 && process.findings.totalDuration <= took)
      #expect(
        process.findings.timings.allSatisfy { $0.nanoseconds <= process.findings.totalDuration },
        "\(process.findings.timings)"
      )
      _ = try process.reap()
    }
  }

  @Test func `a missing program fails in the execve step with a fix and leaves no process`() throws {
    let pipe = try Pipe.make()
    var plan = Self.plan("", output: pipe.writeEnd.rawValue)
    plan.program.path = "/bin/no-such-program"
    let error = #expect(throws: SandboxLaunchError.self) { _ = try SandboxLauncher.launch(plan).reap() }
    guard case .child(let failure) = error else {
      Issue.record("the child should have reported")
      return
    }
    #expect(failure.step == "executeExtension")
    #expect(failure.errno == .noSuchFile)
    #expect(failure.description.contains("readOnly"))
    // Only this process holds the pipe.
    let readEnd = pipe.takeReadEnd()
    #expect(try readEnd.readAll(limit: 10) == [])
  }

  /// The kernel separates layer names by colons and limits the length of the list; neither may turn a layer
  /// into a bind mount.
  @Test(arguments: ["plain", "a:b\\c", "a:\u{301}b", String(repeating: "long", count: 60) + "/deep"])
  func `a directory with any name can be a layer`(name: String) throws {
    let directory = "/tmp/darkroom-layer-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(directory)/\(name)", mode: 0o755)
    defer { try? FileSystem.removeTree(directory) }
    try FileSystem.replaceContents("\(directory)/\(name)/seen", with: [], mode: 0o644)
    // The mode of a layer is that of the directory.
    try #require(chmod("\(directory)/\(name)", 0o705) == 0)
    let pipe = try Pipe.make()
    var plan = Self.plan("ls /shown; pwd; stat -c %a /shown", output: pipe.writeEnd.rawValue)
    plan.root = [.directory(RootItem.emptyDirectory)] + plan.root + [.directory("shown")]
    plan.root.append(.layer(source: "\(directory)/\(name)", target: "shown", [.readOnly]))
    let process = try SandboxLauncher.launch(plan)
    #expect(process.findings.layerFault == nil)
    let readEnd = pipe.takeReadEnd()
    #expect(try readEnd.readAll(limit: 100).map { String(decoding: $0, as: UTF8.self) } == "seen\n/\n705\n")
    #expect(try process.reap().status == .exited(0))
  }

  /// The root belongs to the mount namespace of the init, which no other process holds without a listener.
  @Test func `kills remaining processes before unmounting their files`() throws {
    let line = """
      i=0; while [ $i -lt 12 ]; do
        (while [ -d /usr/bin ]; do :; done; echo the files were removed) & i=$((i + 1)); done; echo started
      """
    for _ in 0..<8 {
      let pipe = try Pipe.make()
      var plan = Self.plan(line, output: pipe.writeEnd.rawValue)
      // The shell redirects the input of background processes to /dev/null.
      plan.root += [.directory("dev"), .file("dev/null", contents: [])]
      plan.root.append(.bind(source: "/dev/null", target: "dev/null", [.noSetUserID, .noExecution]))
      let process = try SandboxLauncher.launch(plan)
      let readEnd = pipe.takeReadEnd()
      let output = try readEnd.readAll(limit: 1 << 20) ?? []
      #expect(String(decoding: output, as: UTF8.self) == "started\n")
      #expect(try process.reap().status == .exited(0))
    }
  }

  @Test func `reports a path that cannot be shown`() throws {
    var plan = Self.plan("", output: 2)
    plan.root.append(.directory("x"))
    plan.root.append(.bind(source: "/no/such/place", target: "x", [.readOnly]))
    let error = #expect(throws: SandboxLaunchError.self) { _ = try SandboxLauncher.launch(plan).reap() }
    #expect(error?.description.contains("cannot add /no/such/place as /x to the session's root") == true)
  }

  @Test func `passes no host descriptor, even with a high number`() throws {
    let file = try FileSystem.open("/dev/null", .read)
    let high = try file.duplicate(atLeast: 1100)
    let output = try Self.run("cd /proc/self/fd; echo *").output
    _ = high
    // The shell has only the three standard descriptors open while it expands the pattern.
    #expect(
      output.split(separator: " ").compactMap { Int($0.filter(\.isNumber)) }.allSatisfy { $0 <= 3 },
      "\(output)"
    )
  }

  @Test func `resets signal dispositions, the signal mask and the nice value, even from a pool thread`()
    async throws
  {
    SignalDescriptor.reportFailedWrites()
    let output = try await Task.detached(priority: .background) {
      try Self.run(
        "while read -r a b; do case $a in Sig[BI]*) echo $b;; esac; done < /proc/$$/status; cut -d' ' -f19 /proc/$$/stat"
      ).output
    }.value
    let lines = output.split(separator: "\n")
    // Blocked and ignored signals; execve(2) resets handlers, so that caught signals are the shell's own.
    // SIGXFSZ is ignored, so that exceeding the file size limit is an error.
    #expect(lines.prefix(2) == ["0000000000000000", "0000000001000000"], "\(output)")
    // Only root can lower the nice value of a thread again.
    if CurrentProcess.effectiveUserID == 0 { #expect(lines.last == "\(CurrentProcess.nice)") }
  }

  @Test func `resets the personality and real-time scheduling of the launching thread`() throws {
    // Swift's Glibc module does not export personality(2).
    typealias Personality = @convention(c) (UInt) -> Int32
    let personality = unsafeBitCast(try #require(dlsym(nil, "personality")), to: Personality.self)
    // The corresponding flag is ADDR_NO_RANDOMIZE.
    let before = personality(0x004_0000)
    var parameter = sched_param(sched_priority: 1)
    let isRealTime = sched_setscheduler(0, SCHED_FIFO, &parameter) == 0
    defer {
      parameter.sched_priority = 0
      if isRealTime { sched_setscheduler(0, SCHED_OTHER, &parameter) }
      _ = personality(UInt(before))
    }
    #expect(personality(0xFFFF_FFFF) & 0x004_0000 != 0)
    let output = try Self.run(
      "cat /proc/self/personality; cut -d' ' -f41 /proc/self/stat /proc/1/stat"
    ).output
    #expect(output == "00000000\n0\n0\n")
    if CurrentProcess.effectiveUserID == 0 { #expect(isRealTime) }
  }

  @Test func `a session can run on all processors of its host`() throws {
    let line = "grep Cpus_allowed: /proc/self/status; grep Cpus_allowed: /proc/1/status"
    let status = try #require(try FileSystem.contents("/proc/thread-self/status"))
    let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
    let own = try #require(lines.first { $0.hasPrefix("Cpus_allowed:") })
    #expect(try Self.run(line).output == "\(own)\n\(own)\n")
  }

  @Test func `terminates forked processes with the extension`() throws {
    let marker = "sleep-\(Randomness.hexadecimal(bytes: 4))"
    _ = try Self.run("(exec -a \(marker) sleep 600) & (sleep 600 &) ; exit 0")
    let names = try FileSystem.names(in: "/proc").filter { Int($0) != nil }
    for name in names {
      let line = (try? FileSystem.contents("/proc/\(name)/cmdline")) ?? nil
      #expect(!String(decoding: line ?? [], as: UTF8.self).contains(marker))
    }
  }

  @Test func `repeated launches leak no descriptors`() throws {
    // In a process of its own, in which no concurrent test opens descriptors.
    let programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    try runShell("'\(programs)/darkroom-session-loop' 80 2>&1")
  }

  /// The host can kill the extension directly, without waiting for the exit of the init to propagate.
  @Test func `the host holds a pidfd of the extension until the session is reaped`() throws {
    func hasPidfd(_ process: String) throws -> Bool {
      try FileSystem.names(in: "/proc/self/fdinfo").contains { name in
        // Concurrent tests open and close descriptors.
        let text = String(
          decoding: ((try? FileSystem.contents("/proc/self/fdinfo/\(name)")) ?? nil) ?? [],
          as: UTF8.self
        )
        return text.split(separator: "\n").contains("Pid:\t\(process)")
      }
    }
    let pipe = try Pipe.make()
    var plan = Self.plan("exec sleep 600", output: pipe.writeEnd.rawValue)
    // The plan has a listener and a filter that allows everything: BPF_RET with SECCOMP_RET_ALLOW.
    plan.restrictions.filter = [0x06, 0, 0, 0, 0, 0, 0xFF, 0x7F]
    plan.restrictions.refusals = .reported
    let process = try SandboxLauncher.launch(plan)
    let list = "/proc/\(process.processID)/task/\(process.processID)/children"
    let children = String(decoding: try FileSystem.contents(list) ?? [], as: UTF8.self).split(separator: " ")
    try #require(children.count == 1)
    #expect(try hasPidfd(String(children[0])))
    try process.kill()
    #expect(try process.reap().status == .signaled(.kill))
    #expect(try !hasPidfd(String(children[0])))
  }

  @Test func `sends a signal to the extension process`() throws {
    let pipe = try Pipe.make()
    let plan = Self.plan(
      "trap 'exit 9' USR1; echo ready; while :; do sleep 0.05; done",
      output: pipe.writeEnd.rawValue
    )
    let process = try SandboxLauncher.launch(plan)
    let readEnd = pipe.takeReadEnd()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
    defer { buffer.deallocate() }
    #expect(try readEnd.read(into: buffer) == .bytes(6))
    try process.signalExtension(Signal(rawValue: 10))
    #expect(try process.reap().status == .exited(9))
  }
}

/// Concurrent launches of one host.
@Suite struct ConcurrentLaunchTests {
  @Test func `concurrent launches from many threads do not interfere`() throws {
    let codes = Mutex<[Int32]>([])
    var threads: [JoinableThread] = []
    for number in 0..<8 {
      threads.append(
        JoinableThread(
          try PlainThread.start(name: "launches") {
            for round in 0..<5 {
              let ending = try? SandboxLauncherTests.run("exit \(number * 5 + round)").ending.status
              if case .exited(let code) = ending { codes.withLock { $0.append(code) } }
            }
          }
        )
      )
    }
    for thread in threads { thread.join() }
    #expect(codes.withLock { $0.sorted() } == Array(0..<40))
  }

  /// A thread in a class, because an array cannot hold noncopyable values.
  private final class JoinableThread {
    private var thread: PlainThread?
    init(_ thread: consuming PlainThread) { self.thread = consume thread }
    func join() { thread.take()?.join() }
  }
}
