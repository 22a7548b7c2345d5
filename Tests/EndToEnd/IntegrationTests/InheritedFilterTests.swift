// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sessions whose host runs under the seccomp filter of a service manager or container runtime.
@Suite(.timeLimit(.minutes(20)), .waiting) struct InheritedFilterTests {
  /// The expected result if a call is refused.
  enum Verdict: Sendable {
    /// The session runs, and its content is migrated.
    case runs
    /// Nothing is launched, and the error names the call.
    case refused
    /// A step of the launch fails before the program is executed.
    case notStarted
  }

  /// A refused call, the filter's answer, and the user of the host.
  struct Case: Sendable, CustomTestStringConvertible {
    let call: String
    let errorName: String
    let user: TestUser
    let verdict: Verdict

    var testDescription: String { "\(call)=\(errorName), \(user.rawValue)" }
    /// The command prefix with the filter.
    var commandPrefix: [String] { ["\(TestPrograms.callFilter)", "\(call)=\(errorName)", "--"] }
  }

  /// Calls that the host replaces or does not need.
  private static let replaced = [
    "openat2", "renameat2", "statx", "faccessat2", "copy_file_range", "process_vm_readv", "inotify_init1",
    "timerfd_create", "ioprio_set", "sched_setaffinity", "getrandom", "fgetxattr", "sysinfo",
  ]
  /// Calls that migration or erasure of content requires.
  private static let required = [
    "getdents64", "lseek", "fcntl", "flock", "mkdirat", "symlinkat", "readlinkat", "unlinkat", "renameat",
    "ftruncate",
    "fallocate", "fsync", "syncfs", "fchown", "fchmod", "chmod", "fchmodat", "utimensat", "flistxattr",
    "fremovexattr",
    "ioctl", "statfs", "futex", "eventfd2", "ppoll", "recvmsg", "waitid", "pidfd_send_signal",
  ]
  /// Calls that the sandbox requires.
  private static let launching = [
    "fsopen", "mount_setattr", "pidfd_open", "memfd_create", "close_range", "setns", "unshare",
    "socketpair",
    "sendmsg", "pipe2", "landlock_restrict_self",
  ]

  /// Each call once, alternating between both answers and users; all combinations for the calls with
  /// replacements.
  static let cases: [Case] = {
    let (root, regular) = (TestUser.available[0], TestUser.regular)
    var cases: [Case] = []
    for user in TestUser.available {
      for errorName in ["ENOSYS", "EPERM", "EINVAL", "EACCES"] {
        for call in ["openat2", "renameat2"] {
          cases.append(Case(call: call, errorName: errorName, user: user, verdict: .runs))
        }
      }
    }
    for (calls, verdict) in [
      (replaced, Verdict.runs), (required, .refused), (launching, .notStarted), (["keyctl"], .runs),
    ] {
      cases += calls.map { Case(call: $0, errorName: "ENOSYS", user: root, verdict: verdict) }
    }
    for (calls, verdict) in [
      (replaced, Verdict.runs), (required, .refused), (launching + ["keyctl"], .notStarted),
    ] {
      cases += calls.map { Case(call: $0, errorName: "EPERM", user: regular, verdict: verdict) }
    }
    // The host makes clone(2) instead only if the kernel appears to lack clone3(2).
    for user in TestUser.available {
      cases.append(Case(call: "clone3", errorName: "ENOSYS", user: user, verdict: .runs))
      cases.append(Case(call: "clone3", errorName: "EPERM", user: user, verdict: .notStarted))
    }
    for call in ["syncfs", "openat2", "waitid"] {
      cases.append(Case(call: call, errorName: "kill", user: root, verdict: .refused))
    }
    return cases
  }()

  /// A script that writes files, some of which need sanitization, and reports each of them.
  private static let capture = """
    cd /session && echo RAN
    echo data >x && echo GOT x
    for i in 1 2 3 4 5 6 7 8 9; do echo $i >f$i && echo GOT f$i; done
    mkdir a && echo deep >a/k && echo GOT a/k
    printf odd >'odd
    name' && echo GOT odd%0Aname
    : >locked && chmod 0 locked && echo GOT locked
    """

  private func exec(_ home: TestHome, _ words: [String] = ["sh", "-c", capture]) throws -> Command.Result {
    try home.darkroom("exec", ["--app", TestHome.app, "--"] + words)
  }

  /// Returns the files that the program reports.
  private func captured(_ result: Command.Result) -> Set<String> {
    Set(result.text.split(separator: "\n").filter { $0.hasPrefix("GOT ") }.map { String($0.dropFirst(4)) })
  }

  /// Returns the relative paths of the files below a directory.
  private func files(_ directory: String) throws -> Set<String> {
    var found: Set<String> = []
    for name in try FileSystem.names(in: directory) {
      let path = "\(directory)/\(name)"
      if try FileSystem.status(path)?.kind == .directory {
        found.formUnion(try files(path).map { "\(name)/\($0)" })
      } else {
        found.insert(name)
      }
    }
    return found
  }

  /// Returns the files of all migrated content.
  private func migrated(_ home: TestHome) throws -> Set<String> {
    let content = "\(home.root)/apps/\(TestHome.app)/container/SessionContent"
    return Set(try files(content).map { $0.split(separator: "/").dropFirst().joined(separator: "/") })
  }

  @Test(arguments: cases)
  func `migrates content or launches nothing, whichever call a filter refuses`(filter: Case)
    throws
  {
    let home = try TestHome(filter.user)
    home.confinementPrefix = filter.commandPrefix
    let result = try exec(home)
    let seen = "exit code \(result.code), \(result.text), \(result.errors)"
    switch filter.verdict {
    case .runs:
      #expect(result.code == 0 && captured(result).count == 13, "\(seen)")
      #expect(try migrated(home) == captured(result), "\(seen)")
      try home.expectNothingLeft()
      #expect(try home.names("apps/\(TestHome.app)/quarantine") == [])
    case .refused:
      #expect(result.code == 71 && result.output.isEmpty, "\(seen)")
      let errorName = filter.errorName == "kill" ? "terminates the process" : filter.errorName
      for words in ["refuses \(filter.call) (\(errorName))", "nothing was launched"] {
        #expect(result.errors.contains(words), "\(seen)")
      }
      #expect(try FileSystem.status(home.root) == nil)
    case .notStarted:
      #expect(result.code == 126 && result.output.isEmpty, "\(seen)")
      #expect(result.errors.contains("the extension was not started"), "\(seen)")
      // The fix for a machine that refuses namespaces does not apply here.
      #expect(!result.errors.contains("sysctl") && !result.errors.contains("run as root"), "\(seen)")
      #expect(try migrated(home) == [])
      try home.expectNothingLeft()
    }
  }

  @Test(arguments: TestUser.available)
  func `recovery leaves sessions untouched under a filter, and migrates them without it`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let words = ["--app", TestHome.app, "--", "sh", "-c", "\(Self.capture)\nexec sleep 300"]
    let command = try home.startDarkroom("exec", words)
    let sessions = "\(home.root)/sessions"
    /// Returns the files in the content of the running session.
    func content() throws -> Set<String> {
      guard let session = try FileSystem.names(in: sessions).first else { return [] }
      return try files("\(sessions)/\(session)/content")
    }
    try command.wait { try content().contains("locked") }
    command.signal(SIGKILL)
    _ = try command.end()
    try home.waitForNoProcess()
    let before = try content()
    for filter in ["chmod=EPERM", "syncfs=ENOSYS", "unlinkat=EACCES"] {
      home.confinementPrefix = [TestPrograms.callFilter, filter, "--"]
      let recovered = try home.darkroom("recover", [])
      #expect(recovered.code == 71 && recovered.errors.contains("refuses \(filter.prefix { $0 != "=" })"))
      #expect(try exec(home).code == 71)
      #expect(try content() == before)
      #expect(try migrated(home) == [])
    }
    // The host can replace both calls.
    home.confinementPrefix = [TestPrograms.callFilter, "openat2=EPERM", "renameat2=ENOSYS", "--"]
    #expect(try home.darkroom("recover", []).code == 0)
    #expect(try migrated(home).count == 13)
    try home.expectNothingLeft()
  }

  /// Returns the kinds of namespaces that a session does not share with the tests.
  private func ownNamespaces(_ home: TestHome) throws -> Set<String> {
    let script = "for kind in cgroup ipc mnt net pid time user uts; do readlink /proc/self/ns/$kind; done"
    let result = try exec(home, ["sh", "-c", script])
    try #require(result.code == 0, "\(result.errors)")
    // A link has the form "net:[4026531840]".
    let kinds = result.text.split(separator: "\n").filter { $0.contains(":[") }.map(String.init)
    try #require(kinds.count == 8, "\(result.text)")
    return Set(
      try kinds.compactMap { link in
        let kind = String(link.prefix { $0 != ":" })
        return try FileSystem.linkTarget("/proc/self/ns/\(kind)") == link ? nil : kind
      }
    )
  }

  @Test(arguments: TestUser.available)
  func `a session has the same namespaces without clone3 as with it`(user: TestUser) throws {
    let home = try TestHome(user)
    let expected = try ownNamespaces(home)
    #expect(expected.isSuperset(of: ["ipc", "mnt", "net", "pid", "uts"]))
    home.confinementPrefix = [TestPrograms.callFilter, "clone3=ENOSYS", "--"]
    #expect(try ownNamespaces(home) == expected)
  }

  @Test(
    .enabled(if: TestUser.hasRoot),
    arguments: ["copy_file_range=EPERM", "openat2=ENOSYS", "renameat2=EPERM"]
  )
  func `copies content to another file system although a filter refuses a call`(filter: String) throws {
    let home = try TestHome(.root)
    home.confinementPrefix = [TestPrograms.callFilter, filter, "--"]
    let container = "\(home.root)/apps/\(TestHome.app)/container"
    _ = try exec(home, ["true"])
    try FileSystem.removeTree(container)
    try FileSystem.makeDirectory(container)
    try runShell("mount -t tmpfs -o mode=700 none '\(container)'")
    defer { try? runShell("umount '\(container)'") }
    let result = try exec(home)
    #expect(result.code == 0, "\(result.errors)")
    #expect(try migrated(home) == captured(result))
    #expect(try home.darkroom("content", ["invalidate", TestHome.app, "--all"]).code == 0)
    #expect(try migrated(home) == [])
  }

  @Test(arguments: TestUser.available)
  func `a server does not start under a filter that would prevent migration`(user: TestUser) throws {
    let home = try TestHome(user)
    home.confinementPrefix = [TestPrograms.callFilter, "syncfs=EPERM", "--"]
    let result = try home.darkroom("serve", [])
    #expect(result.code == 71 && result.errors.contains("refuses syncfs (EPERM)"), "\(result.errors)")
    #expect(try FileSystem.status(home.root) == nil)
  }

  @Test(arguments: TestUser.available)
  func `the doctor reports the calls that a filter refuses, and the effect`(user: TestUser) throws {
    let home = try TestHome(user)
    // The doctor exits with 69 if sessions have no control group.
    let usual = try home.darkroom("doctor", ["--json"]).code
    for (filter, code, state, words) in [
      ("syncfs=ENOSYS", 71, "missing", ["refuses syncfs (ENOSYS)", "sessions cannot be launched"]),
      ("flock=kill", 71, "missing", ["refuses flock (terminates the process)"]),
      ("openat2=ENOSYS", usual, "advice", ["refuses openat2 (ENOSYS)", "RestrictSUIDSGID=yes"]),
      ("getppid=ENOSYS", usual, "present", []),
    ] as [(String, Int32, String, [String])] {
      home.confinementPrefix = [TestPrograms.callFilter, filter, "--"]
      let result = try home.darkroom("doctor", ["--json"])
      #expect(result.code == code, "\(filter): \(result.text)")
      let machine = try home.json(result.output)["machine"]?.elements
      let finding = try #require(machine?.first { $0["name"]?.string == "calls" })
      #expect(finding["state"]?.string == state, "\(finding)")
      for text in words { #expect(finding["detail"]?.string?.contains(text) == true, "\(finding)") }
    }
  }
}

extension TestPrograms {
  /// The path of a program that runs a command under a filter; every user can execute it.
  fileprivate static let callFilter = "\((try? shared.get())?.directory ?? "")/bin/darkroom-call-filter"
}
