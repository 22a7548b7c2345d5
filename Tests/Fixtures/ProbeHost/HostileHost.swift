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
  /// A file that sessions are shown.
  static let shown = "/usr/bin/env"
  /// What it left open, one of each kind: a file, a directory, a socket, a queue of calls.
  let leaked: [Int32]

  /// The same host with other options.
  init(_ host: HostileHost, with options: ProbeOptions) {
    self.options = options
    (secret, port, abstractName) = (host.secret, host.port, host.abstractName)
    (sharedMemory, socketPath) = (host.sharedMemory, host.socketPath)
    (terminal, leaked) = (host.terminal, host.leaked)
  }

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
    // They stay open as long as this process lives.
    _ = darkroom_receive_datagrams(abstractName, 1)
    unlink("\(options.root)/datagrams")
    _ = darkroom_receive_datagrams("\(options.root)/datagrams", 0)
    leaked = Self.leakDescriptors(secret)
    Self.lock(Self.shown)
    if options.attempts.contains(where: { ["watch", "notify"].contains($0.name) }) {
      Self.keepReading(Self.shown)
    }
    for signal in [SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGTERM, SIGQUIT, 37] { Glibc.signal(signal, SIG_IGN) }
    Self.hold(options.resident)
    Self.openMore(options.descriptors)
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

  /// Has so many descriptors open that a session could write to. Nothing keeps them from being inherited.
  static func openMore(_ count: Int) {
    guard count > 0 else { return }
    let end = Glibc.open("/dev/full", O_RDWR)
    for _ in 1..<count { _ = Glibc.dup(end) }
  }

  /// Touches so many MiB of memory and keeps them.
  private static func hold(_ mebibytes: Int) {
    guard mebibytes > 0 else { return }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: mebibytes << 20, alignment: 4096)
    memset(memory, 1, mebibytes << 20)
  }
}
