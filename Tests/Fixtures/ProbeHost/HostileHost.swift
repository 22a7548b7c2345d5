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
  /// The path of a listener.
  let socketPath: String
  /// A terminal that is nobody's controlling terminal; it is the probe's standard input.
  let terminal: Int32
  /// What it left open, one of each kind: a file, a directory, a socket, a queue of calls.
  let leaked: [Int32]

  /// Makes everything that an extension could find.
  init(_ options: ProbeOptions) throws {
    self.options = options
    try StateRoot(path: options.root).prepare()
    let application = "\(options.root)/apps/org.example.other/container"
    try FileSystem.makeDirectories(application, mode: 0o755)
    secret = "\(application)/secret"
    try FileSystem.replaceContents(secret, with: [UInt8]("secret".utf8))
    chmod(secret, 0o666)
    // Nor is it a mode on the way that keeps an extension out.
    for parent in ["", "/apps", "/apps/org.example.other", "/apps/org.example.other/container"] {
      chmod(options.root + parent, 0o755)
    }
    port = Self.listenOnLoopback()
    abstractName = "darkroom-\(getpid())"
    Self.listen(abstractly: abstractName)
    sharedMemory = getpid()
    shmget(sharedMemory, 4096, 0o1666)
    terminal = Self.openTerminal()
    Self.holdKey()
    setenv("DARKROOM_PROBE_SECRET", "secret", 1)
    socketPath = options.listen ?? "\(options.root)/socket"
    Self.listen(at: socketPath)
    leaked = Self.leakDescriptors(secret)
    for signal in [SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGTERM, SIGQUIT, 37] { Glibc.signal(signal, SIG_IGN) }
    Self.hold(options.resident)
  }

  /// Opens files and directories without `O_CLOEXEC`, at numbers small and large.
  private static func leakDescriptors(_ secret: String) -> [Int32] {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 65536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let file = Glibc.open(secret, O_RDWR)
    let directory = Glibc.open("/", O_RDONLY | O_DIRECTORY)
    for number in [Int32(61), 700, 1023, 1024, 5000] where number < Int32(limit.rlim_cur) {
      dup2(number % 2 == 0 ? directory : file, number)
    }
    return [file, directory, connectedSocket(), queueOfCalls()].filter { $0 >= 0 }
  }

  /// One end of a pair whose other end has sent something and stays open.
  private static func connectedSocket() -> Int32 {
    var ends: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    _ = Glibc.write(ends[1], "hello", 5)
    return ends[0]
  }

  /// A queue of calls (io_uring_setup(2)); -1 where the kernel has none.
  private static func queueOfCalls() -> Int32 {
    var parameters = [UInt64](repeating: 0, count: 15)
    let ring = parameters.withUnsafeMutableBytes { bytes in
      call(Int(SYS_io_uring_setup), 1, Int(bitPattern: bytes.baseAddress))
    }
    // The kernel makes it close-on-exec.
    return ring < 0 ? -1 : dup(Int32(ring))
  }

  /// A key in the keyring that every child would be born with (keyctl(2)); it goes with this process.
  private static func holdKey() {
    _ = call(Int(SYS_keyctl), 1 /* KEYCTL_JOIN_SESSION_KEYRING */)
    "user".withCString { type in
      "darkroom-probe-left".withCString { name in
        _ = call(
          Int(SYS_add_key),
          Int(bitPattern: type),
          Int(bitPattern: name),
          Int(bitPattern: type),
          1,
          -3 /* KEY_SPEC_SESSION_KEYRING */
        )
      }
    }
  }

  /// A system call that the C library has no function for.
  private static func call(_ number: Int, _ a: Int, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0, _ e: Int = 0)
    -> Int
  {
    // Its syscall(2) is variadic, which Swift cannot call by its name. On both architectures it takes its arguments as
    // any other function does.
    typealias Call = @convention(c) (Int, Int, Int, Int, Int, Int) -> Int
    guard let symbol = dlsym(nil, "syscall") else { return -1 }
    return unsafeBitCast(symbol, to: Call.self)(number, a, b, c, d, e)
  }

  /// Listens at a path, for everybody.
  private static func listen(at path: String) {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    unlink(path)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      for (index, byte) in path.utf8.prefix(bytes.count - 1).enumerated() { bytes[index] = byte }
    }
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    chmod(path, 0o777)
    _ = Glibc.listen(listener, 64)
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
