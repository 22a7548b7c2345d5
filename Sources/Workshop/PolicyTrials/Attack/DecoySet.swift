// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore
internal import Synchronization

/// The decoys that attempts try to reach. They imitate resources that a careless host leaves accessible:
/// another app's container with a world-readable secret, listeners, shared memory, inheritable descriptors, a
/// lock, a key and a terminal.
///
/// The decoys are removed with this object, except the key, which is removed with the process.
package final class DecoySet: Sendable {
  /// The state root with the other app's container.
  let root: String
  /// The file that no sandboxed program may read.
  let secret: String
  /// The terminal that probes have as standard input, or `/dev/null` if there is none.
  let terminal: Descriptor
  /// The listener on the loopback interface.
  private let loopback: DecoyListener
  /// The listener in the abstract socket namespace.
  private let abstract: DecoyListener
  /// The listener at a path.
  private let socket: DecoyListener
  /// The datagram socket in the abstract socket namespace.
  private let abstractDatagrams: DecoyListener
  /// The datagram socket at a path.
  private let datagrams: DecoyListener
  /// The shared memory.
  private let memory: SharedSegment
  /// The inheritable descriptors.
  private let leakedDescriptors: LeakedDescriptors
  /// The lock of a file that policies expose.
  private let lock: DecoyLock?
  /// The reader of that file.
  private let reader: ShownFileReader?
  /// The name of the directory and of the abstract sockets.
  private let name: String

  /// A file that policies expose and that the host uses during the attempts.
  private static let shown = "/usr/bin/env"

  /// Creates the decoys in a new directory in `place`.
  package init(below place: String) throws(AttackError) {
    name = "darkroom-attack-\(Randomness.hexadecimal(bytes: 8))"
    root = "\(place)/\(name)"
    do {
      // Without this check, the error of the state root would suggest another option.
      try FileSystem.checkWritable(place)
      try StateRoot(path: root).prepare()
      let container = "\(root)/apps/org.example.other/container"
      try FileSystem.makeDirectories(container, mode: 0o755)
      secret = "\(container)/secret"
      try FileSystem.replaceContents(secret, with: Array("secret".utf8), mode: 0o666)
      try Self.openToAll(["\(root)", "\(root)/apps", "\(root)/apps/org.example.other", container], secret)
      terminal = try Self.openTerminal()
      loopback = try DecoyListener.onLoopback()
      abstract = try DecoyListener.inAbstractNamespace(name)
      socket = try DecoyListener.at("\(root)/socket")
      abstractDatagrams = try DecoyListener.datagramsInAbstractNamespace(name)
      datagrams = try DecoyListener.datagrams(at: "\(root)/datagrams")
      memory = try SharedSegment.make(key: Int32(bitPattern: UInt32.random(in: 0x1000_0000...0x7FFF_FFFF)))
      leakedDescriptors = try LeakedDescriptors(secret)
      // These decoys are unavailable on some machines, and only few attempts need them.
      lock = try? DecoyLock.take(Self.shown)
      reader = try? ShownFileReader(Self.shown)
      try? DecoyKey.hold("darkroom-probe-left")
    } catch {
      try? FileSystem.removeTree(root)
      throw .decoys("\(error)")
    }
  }

  deinit { try? FileSystem.removeTree(root) }

  /// Makes the decoys accessible for all users, so that only the sandbox can block an attempt.
  private static func openToAll(_ directories: [String], _ file: String) throws(SystemCallError) {
    for directory in directories { try FileSystem.open(directory, [.directory]).setPermissions(0o755) }
    try FileSystem.open(file, .read).setPermissions(0o666)
  }

  /// Opens a new pseudoterminal, or `/dev/null` if that fails.
  private static func openTerminal() throws(SystemCallError) -> Descriptor {
    do { return try Descriptor.newTerminal() } catch { return try FileSystem.open("/dev/null", .readWrite) }
  }

  /// A thread that reads a file repeatedly, as if its program were run.
  private final class ShownFileReader: Sendable {
    /// The state of the thread.
    private let stop = ReaderLoop()

    /// Starts the thread.
    init(_ path: String) throws(SystemCallError) {
      let stop = stop
      // The thread is not joined; it ends soon after its owner is deinitialized.
      _ = try PlainThread.start(name: "reader") { stop.readUntilStopped(path) }
    }

    deinit { stop.stop() }
  }

  /// The loop of a reader thread.
  private final class ReaderLoop: Sendable {
    /// Whether the owner was deinitialized.
    private let isStopped = Mutex(false)

    /// Ends the loop.
    func stop() { isStopped.withLock { $0 = true } }

    /// Opens and reads the file every few milliseconds.
    func readUntilStopped(_ path: String) {
      while !isStopped.withLock({ $0 }) {
        _ = try? FileSystem.contents(path, limit: 1)
        _ = try? Poller.wait([], until: MonotonicClock.now + 5_000_000)
      }
    }
  }

  /// Descriptors of a file and a directory without close-on-exec, with low and high numbers.
  private final class LeakedDescriptors: Sendable {
    /// A file with a low number.
    private let low: Descriptor
    /// A directory with a higher number.
    private let middle: Descriptor?
    /// A file with a number above `FD_SETSIZE`, the limit of select(2).
    private let high: Descriptor?

    /// Opens the descriptors.
    init(_ secret: String) throws(SystemCallError) {
      let file = try FileSystem.open(secret, .readWrite)
      let directory = try FileSystem.open("/", [.directory])
      low = try file.leak(atLeast: 61)
      // The limit of open files can be lower.
      middle = try? directory.leak(atLeast: 700)
      high = try? file.leak(atLeast: 1024)
    }
  }
}

extension DecoySet {
  /// Returns the values of the placeholders in an attempt's argument.
  func facts(_ plan: LaunchPlan, content: String) -> [String: String] {
    let own = [
      "secret": secret, "root": root, "content": content, "port": "\(loopback.port)", "abstract": name,
      "socket": "\(root)/socket", "memory": "\(memory.key)", "shown": Self.shown,
    ]
    return AttemptArgument.facts(of: plan).merging(own) { _, own in own }
  }
}
