// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

/// A host as careless as can be: with descriptors that are not close-on-exec, ignored signals, listeners and secrets.
struct HostileHost: Sendable {
  /// The command line.
  let options: ProbeOptions
  /// The file that nobody inside may read, though its mode allows it.
  let secret: String
  /// The port of a listener on the loopback interface.
  let port: UInt16
  /// The name of a listener in the abstract name space.
  let abstractName: String
  /// The key of a segment of System V shared memory.
  let sharedMemory: Int32
  /// A terminal that is nobody's controlling terminal; it is the probe's standard input.
  let terminal: Int32

  /// Makes everything that an extension could find.
  init(_ options: ProbeOptions) throws {
    self.options = options
    try StateRoot(path: options.root).prepare()
    let application = "\(options.root)/apps/org.example.other/container"
    try FileSystem.makeDirectories(application, mode: 0o755)
    secret = "\(application)/secret"
    try FileSystem.replaceContents(secret, with: [UInt8]("secret".utf8))
    chmod(secret, 0o666)
    port = Self.listenOnLoopback()
    abstractName = "darkroom-\(getpid())"
    Self.listen(abstractly: abstractName)
    sharedMemory = getpid()
    shmget(sharedMemory, 4096, 0o1666)
    terminal = Self.openTerminal()
    setenv("DARKROOM_PROBE_SECRET", "secret", 1)
    Self.leakDescriptors(secret)
    for signal in [SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGTERM, SIGQUIT, 37] { Glibc.signal(signal, SIG_IGN) }
    Self.hold(options.resident)
  }

  /// Opens files and directories without `O_CLOEXEC`, at numbers small and large.
  private static func leakDescriptors(_ secret: String) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 65536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let file = Glibc.open(secret, O_RDWR)
    let directory = Glibc.open("/", O_RDONLY | O_DIRECTORY)
    for number in [Int32(61), 700, 1023, 1024, 5000] where number < Int32(limit.rlim_cur) {
      dup2(number % 2 == 0 ? directory : file, number)
    }
  }

  /// A new pseudoterminal (`TIOCSPTLCK`, `TIOCGPTN`), or `/dev/null` where there is none.
  private static func openTerminal() -> Int32 {
    let manager = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: Int32 = 0
    var number: Int32 = 0
    guard darkroom_ioctl_pointer(manager, 0x4004_5431, &locked) == 0,
      darkroom_ioctl_pointer(manager, 0x8004_5430, &number) == 0
    else { return Glibc.open("/dev/null", O_RDWR | O_CLOEXEC) }
    return Glibc.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
  }

  /// Touches so many MiB of memory and keeps them.
  private static func hold(_ mebibytes: Int) {
    guard mebibytes > 0 else { return }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: mebibytes << 20, alignment: 4096)
    memset(memory, 1, mebibytes << 20)
  }

  private static func listenOnLoopback() -> UInt16 {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, size)
        _ = Glibc.listen(listener, 64)
        getsockname(listener, $0, &size)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func listen(abstractly name: String) {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      for (index, byte) in name.utf8.enumerated() { path[index + 1] = byte }
    }
    let size = socklen_t(2 + 1 + name.utf8.count)
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = bind(listener, $0, size) }
    }
    _ = Glibc.listen(listener, 64)
  }
}

extension HostileHost {
  /// Replaces the names in braces by what they stand for.
  func fill(_ text: String, _ plan: LaunchPlan, content: String) throws -> String {
    var result = text
    for (name, value) in try facts(plan, content) {
      result = Self.replace("{\(name)}", by: value, in: result)
    }
    return result
  }

  private func facts(_ plan: LaunchPlan, _ content: String) throws -> [(String, String)] {
    var facts = [
      ("secret", secret), ("root", options.root), ("content", content),
      ("container", "\(FileSystem.directoryName(content))/container"), ("process", "\(getpid())"),
      ("port", "\(port)"), ("abstract", abstractName), ("memory", "\(sharedMemory)"),
      ("descriptors", "\(plan.descriptors.count)"), ("nice", "\(CurrentProcess.nice)"),
      ("program", plan.executable),
      ("environment", plan.environment.map { "\($0.name)," }.joined()),
      (
        "limits", plan.limits.map { "\($0.resource.rawValue)=\($0.soft)/\($0.hard)," }.joined()
      ),
    ]
    facts += plan.limits.map { ("limit \($0.resource)", "\($0.hard)") }
    for name in ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"] {
      facts.append(("namespace \(name)", try FileSystem.linkTarget("/proc/self/ns/\(name)")))
    }
    return facts
  }

  private static func replace(_ name: String, by value: String, in text: String) -> String {
    var rest = text[...]
    var result = ""
    while let brace = rest.firstIndex(of: "{") {
      result += rest[..<brace]
      rest = rest[brace...]
      if rest.hasPrefix(name) {
        result += value
        rest = rest.dropFirst(name.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result + rest
  }
}
