// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A socket in the session's directory through which other processes of the same user access the viewfinder.
///
/// A client receives the descriptor of the ring, open for reading, and the connection is closed. Clients read
/// the ring directly, so they slow down neither the session nor its camera.
final class ViewfinderServer {
  /// The maximum number of clients that are answered in one iteration of the event loop.
  private static let maximumClientsPerIteration = 8

  /// The time for which no client is answered after accept(2) failed, in nanoseconds.
  private static let retryDelay: UInt64 = 200_000_000

  private let directory: String
  private let name: String
  private let listener: Descriptor
  private let ring: Descriptor
  private var pausedUntil: UInt64 = 0

  private init(directory: String, name: String, listener: consuming Descriptor, ring: consuming Descriptor) {
    self.directory = directory
    self.name = name
    self.listener = listener
    self.ring = ring
  }

  deinit { try? FileSystem.unlink("\(directory)/\(name)") }

  /// Opens a server in a directory. `number` is the descriptor of the ring.
  static func open(
    _ name: String,
    in directory: String,
    ring number: Int32
  ) throws(SystemCallError) -> ViewfinderServer {
    // Reopened read-only, so that clients cannot map the ring for writing.
    let ring = try FileSystem.open("/proc/self/fd/\(number)", .read)
    let listener = try PacketSocket.withAddress(of: name, in: directory) { path throws(SystemCallError) in
      try PacketSocket.listen(path)
    }
    return ViewfinderServer(directory: directory, name: name, listener: listener, ring: ring)
  }

  /// The descriptor to poll for clients, or -1 for a while after a failure.
  var readable: Int32 { MonotonicClock.now < pausedUntil ? -1 : listener.rawValue }

  /// Answers the waiting clients. Only processes with the UID of the host receive the ring.
  func answer(_ offer: ViewfinderDescription) {
    for _ in 0..<Self.maximumClientsPerIteration {
      let arrival: Descriptor?
      do throws(SystemCallError) { arrival = try PacketSocket.accept(listener) } catch {
        // Usually, no descriptor is available (EMFILE), and the pending client would be reported again at
        // once.
        pausedUntil = MonotonicClock.now + Self.retryDelay
        return
      }
      guard let visitor = arrival else { return }
      guard (try? PacketPeer.of(visitor))?.user == CurrentProcess.effectiveUserID else { continue }
      // A client that cannot receive the packet at once is treated as disconnected.
      try? PacketSocket.send(offer.bytes, [ring.rawValue], over: visitor)
    }
  }
}
