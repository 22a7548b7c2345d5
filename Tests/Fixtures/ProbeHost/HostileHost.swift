// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

/// A careless host with inheritable descriptors, ignored signals, listeners and secrets.
struct HostileHost: Sendable {
  /// The command line.
  let options: ProbeOptions
  /// A file that the extension must not read although its mode permits it.
  let secret: String
  /// The port of a listener on the loopback interface.
  let port: UInt16
  /// The name of a listener in the abstract name space.
  let abstractName: String
  /// The key of a segment of System V shared memory.
  let sharedMemory: Int32
  /// The path of a listening socket.
  let socketPath: String
  /// A terminal that is not a controlling terminal; it is the probe's standard input.
  let terminal: Int32
  /// A file that sessions are shown.
  static let shown = "/usr/bin/env"
  /// The inherited descriptors, one of each kind: a file, a directory, sockets and an io_uring.
  let leaked: [Int32]

  /// Creates a copy of a host with other options.
  init(_ existing: HostileHost, with options: ProbeOptions) {
    self.options = options
    (secret, port, abstractName) = (existing.secret, existing.port, existing.abstractName)
    (sharedMemory, socketPath) = (existing.sharedMemory, existing.socketPath)
    (terminal, leaked) = (existing.terminal, existing.leaked)
  }

  /// Creates all resources that an extension could find.
  init(_ options: ProbeOptions) throws {
    self.options = options
    try StateRoot(path: options.root).prepare()
    let application = "\(options.root)/apps/org.example.other/container"
    try FileSystem.makeDirectories(application, mode: 0o755)
    secret = "\(application)/secret"
    try FileSystem.replaceContents(secret, with: [UInt8]("secret".utf8))
    chmod(secret, 0o666)
    // Directory modes must not be what denies access to the extension.
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
    // The sockets stay open until this process exits.
    _ = darkroom_receive_datagrams(abstractName, 1)
    unlink("\(options.root)/datagrams")
    _ = darkroom_receive_datagrams("\(options.root)/datagrams", 0)
    leaked = Self.leakDescriptors(secret)
    Self.lock(Self.shown)
    if options.attempts.contains(where: { ["watch", "notify"].contains($0.name) }) {
      Self.keepReading(Self.shown)
    }
    for signal in [SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGTERM, SIGQUIT, 37] { Glibc.signal(signal, SIG_IGN) }
    Self.allocateResident(options.resident)
    Self.openInheritableDescriptors(options.descriptors)
  }

  /// Returns a new pseudoterminal (`TIOCSPTLCK`, `TIOCGPTN`), or `/dev/null` if none is available.
  private static func openTerminal() -> Int32 {
    let manager = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: Int32 = 0
    var number: Int32 = 0
    guard darkroom_ioctl_pointer(manager, 0x4004_5431, &locked) == 0,
      darkroom_ioctl_pointer(manager, 0x8004_5430, &number) == 0
    else { return Glibc.open("/dev/null", O_RDWR | O_CLOEXEC) }
    return Glibc.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
  }

  /// Opens inheritable descriptors that a session could write to.
  static func openInheritableDescriptors(_ count: Int) {
    guard count > 0 else { return }
    let end = Glibc.open("/dev/full", O_RDWR)
    for _ in 1..<count { _ = Glibc.dup(end) }
  }

  /// Allocates and touches memory, in MiB.
  private static func allocateResident(_ mebibytes: Int) {
    guard mebibytes > 0 else { return }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: mebibytes << 20, alignment: 4096)
    memset(memory, 1, mebibytes << 20)
  }
}
