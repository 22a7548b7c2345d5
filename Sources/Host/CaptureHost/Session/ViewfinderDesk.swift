// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Where other processes of the same user get a look at a session's viewfinder: a socket in the session's directory.
///
/// Who connects is given the ring, to read alone, and the connection ends. From then on they look for themselves: neither
/// the session nor its camera is slower for it.
final class ViewfinderDesk {
  /// How many are answered in one turn of the session, so that nobody can keep it busy.
  private static let mostAtOnce = 8

  /// How long nobody is answered after the host could not, in nanoseconds.
  private static let rest: UInt64 = 200_000_000

  private let directory: String
  private let name: String
  private let listener: Descriptor
  private let ring: Descriptor
  private var restsUntil: UInt64 = 0

  private init(directory: String, name: String, listener: consuming Descriptor, ring: consuming Descriptor) {
    self.directory = directory
    self.name = name
    self.listener = listener
    self.ring = ring
  }

  deinit { try? FileSystem.unlink("\(directory)/\(name)") }

  /// Opens a desk in a directory, for the ring that is open under a number.
  static func open(
    _ name: String,
    in directory: String,
    ring number: Int32
  ) throws(SystemCallError) -> ViewfinderDesk {
    // Opened anew, it can be read alone, and never mapped to be written.
    let ring = try FileSystem.open("/proc/self/fd/\(number)", .read)
    let listener = try PacketSocket.withAddress(of: name, in: directory) { path throws(SystemCallError) in
      try PacketSocket.listen(path)
    }
    return ViewfinderDesk(directory: directory, name: name, listener: listener, ring: ring)
  }

  /// What to watch for whoever wants to look; nothing for a while after somebody could not be answered.
  var readable: Int32 { MonotonicClock.now < restsUntil ? -1 : listener.rawValue }

  /// Answers those who have come: a user's own processes get the ring, others nothing.
  func answer(_ offer: ViewfinderOffer) {
    for _ in 0..<Self.mostAtOnce {
      let arrival: Descriptor?
      do throws(SystemCallError) { arrival = try PacketSocket.accept(listener) } catch {
        // Mostly there is no number left for a descriptor, and the visitor would be announced again at once.
        restsUntil = MonotonicClock.now + Self.rest
        return
      }
      guard let visitor = arrival else { return }
      guard (try? PacketPeer.of(visitor))?.user == CurrentProcess.effectiveUserID else { continue }
      // One who does not take it at once has gone.
      try? PacketSocket.send(offer.bytes, [ring.rawValue], over: visitor)
    }
  }
}
