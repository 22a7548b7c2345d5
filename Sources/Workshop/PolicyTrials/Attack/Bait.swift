// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore
internal import Synchronization

/// What a careless host has lying about, for attempts to find: another app's container with a secret that its mode lets
/// everybody read, listeners, shared memory, descriptors that programs inherit, a lock, a key, a terminal. All of it goes
/// with the value, but for the key, which goes with the process.
package final class Bait: Sendable {
  /// The state root that holds the other app's container.
  let root: String
  /// The file that nobody inside may read.
  let secret: String
  /// The terminal that probes have as standard input; `/dev/null` where there is none.
  let terminal: Descriptor
  /// The listener on the loopback interface.
  private let loopback: HostListener
  /// The listener in the abstract name space.
  private let abstract: HostListener
  /// The listener at a path.
  private let socket: HostListener
  /// What receives datagrams in the abstract name space.
  private let abstractDatagrams: HostListener
  /// What receives datagrams at a path.
  private let datagrams: HostListener
  /// The shared memory.
  private let memory: SharedSegment
  /// The descriptors that programs inherit.
  private let leaked: Leaks
  /// The lock of a file that policies show.
  private let lock: SharedLock?
  /// What uses that file.
  private let reader: Reader?
  /// The name of the directory, and of the abstract listener.
  private let name: String

  /// A file that policies show, and that the host uses meanwhile.
  private static let shown = "/usr/bin/env"

  /// Lays it out in a new directory below a place.
  package init(below place: String) throws(AttackError) {
    name = "darkroom-attack-\(Randomness.hexadecimal(bytes: 8))"
    root = "\(place)/\(name)"
    do {
      // A state root's own words would send the reader to another option.
      try FileSystem.checkWritable(place)
      try StateRoot(path: root).prepare()
      let container = "\(root)/apps/org.example.other/container"
      try FileSystem.makeDirectories(container, mode: 0o755)
      secret = "\(container)/secret"
      try FileSystem.replaceContents(secret, with: Array("secret".utf8), mode: 0o666)
      try Self.openToAll(["\(root)", "\(root)/apps", "\(root)/apps/org.example.other", container], secret)
      terminal = try Self.openTerminal()
      loopback = try HostListener.onLoopback()
      abstract = try HostListener.abstractly(name)
      socket = try HostListener.at("\(root)/socket")
      abstractDatagrams = try HostListener.datagramsAbstractly(name)
      datagrams = try HostListener.datagrams(at: "\(root)/datagrams")
      memory = try SharedSegment.make(key: Int32(bitPattern: UInt32.random(in: 0x1000_0000...0x7FFF_FFFF)))
      leaked = try Leaks(secret)
      // Not on every machine, and each only bait for a few attempts.
      lock = try? SharedLock.take(Self.shown)
      reader = try? Reader(Self.shown)
      try? HostKey.hold("darkroom-probe-left")
    } catch {
      try? FileSystem.removeTree(root)
      throw .bait("\(error)")
    }
  }

  deinit { try? FileSystem.removeTree(root) }

  /// No mode keeps anybody out: what refuses an attempt then is the sandbox.
  private static func openToAll(_ directories: [String], _ file: String) throws(SystemCallError) {
    for directory in directories { try FileSystem.open(directory, [.directory]).setPermissions(0o755) }
    try FileSystem.open(file, .read).setPermissions(0o666)
  }

  /// A terminal where there is one to be had.
  private static func openTerminal() throws(SystemCallError) -> Descriptor {
    do { return try Descriptor.newTerminal() } catch { return try FileSystem.open("/dev/null", .readWrite) }
  }

  /// Reads a file again and again, as if its program were run.
  private final class Reader: Sendable {
    /// What the thread looks at.
    private let stop = Reading()

    /// Begins to read.
    init(_ path: String) throws(SystemCallError) {
      let stop = stop
      // Detached: it ends with its owner.
      _ = try PlainThread.start(name: "reader") { stop.readUntilStopped(path) }
    }

    deinit { stop.stop() }
  }

  /// Whether a reader goes on.
  private final class Reading: Sendable {
    /// Whether the owner has gone.
    private let isStopped = Mutex(false)

    /// Lets it end.
    func stop() { isStopped.withLock { $0 = true } }

    /// Opens and reads the file every few milliseconds.
    func readUntilStopped(_ path: String) {
      while !isStopped.withLock({ $0 }) {
        _ = try? FileSystem.contents(path, limit: 1)
        _ = try? Poller.wait([], until: MonotonicClock.now + 5_000_000)
      }
    }
  }

  /// Descriptors of a file and a directory that are not close-on-exec, at numbers small and large.
  private final class Leaks: Sendable {
    /// A file at a small number.
    private let low: Descriptor
    /// A directory at a larger one.
    private let middle: Descriptor?
    /// A file above the numbers that select(2) takes.
    private let high: Descriptor?

    /// Opens them.
    init(_ secret: String) throws(SystemCallError) {
      let file = try FileSystem.open(secret, .readWrite)
      let directory = try FileSystem.open("/", [.directory])
      low = try file.leak(atLeast: 61)
      // This process may have fewer.
      middle = try? directory.leak(atLeast: 700)
      high = try? file.leak(atLeast: 1024)
    }
  }
}

extension Bait {
  /// What the names in braces of an attempt's argument stand for.
  func facts(_ plan: LaunchPlan, content: String) -> [String: String] {
    let own = [
      "secret": secret, "root": root, "content": content, "port": "\(loopback.port)", "abstract": name,
      "socket": "\(root)/socket", "memory": "\(memory.key)", "shown": Self.shown,
    ]
    return AttemptArgument.facts(of: plan).merging(own) { _, own in own }
  }
}
