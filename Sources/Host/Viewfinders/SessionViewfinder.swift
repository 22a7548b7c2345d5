// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import CaptureHost
package import ExtensionProtocol
package import LinuxPrimitives
package import SessionStore

/// The viewfinder of a session that runs in another process of this user.
package struct SessionViewfinder {
  /// The frame ring of the viewfinder.
  private let window: PreviewObserver
  /// The lead of the extension's clock over this machine's clock, in nanoseconds.
  private let clockLead: Int64

  /// The time limit for the host's reply, in nanoseconds.
  private static let replyTimeout: UInt64 = 5_000_000_000
  /// The maximum age of a frame in nanoseconds. An earlier timestamp is not plausible.
  private static let maximumAge: UInt64 = 3_600_000_000_000

  private init(_ window: PreviewObserver, clockLead: Int64) {
    (self.window, self.clockLead) = (window, clockLead)
  }

  /// The size of the frames, and the layout of their pixels.
  package var geometry: FrameRingGeometry { window.geometry }

  /// Returns a copy of the newest frame.
  package func newest() -> PreviewObserver.Newest { window.newest() }

  /// Returns the capture time of a frame in milliseconds since 1970, or `nil` if the extension's timestamp is
  /// not plausible.
  package func captureTime(of still: PreviewObserver.Still) -> Int64? {
    let age = MonotonicClock.now &+ UInt64(bitPattern: clockLead) &- still.timestamp
    return age < Self.maximumAge ? WallClock.milliseconds - Int64(age / 1_000_000) : nil
  }

  /// Opens the viewfinder of a running session.
  package static func open(_ places: SessionPaths) throws(SessionViewfinderError) -> SessionViewfinder {
    let socket = try connect(places)
    let packet = try answer(socket.descriptor)
    guard let offer = ViewfinderDescription(packet.bytes), let ring = packet.descriptors.first else {
      throw .malformed
    }
    let window: PreviewObserver?
    do { window = try PreviewObserver(ring.descriptor, offer.geometry) } catch { throw .system(error) }
    guard let window else { throw .malformed }
    return SessionViewfinder(window, clockLead: offer.clockLead)
  }

  private static func connect(_ places: SessionPaths) throws(SessionViewfinderError) -> HeldDescriptor {
    let name = SessionPaths.viewfinderSocketName
    let socket: HeldDescriptor
    let host: UInt32
    do throws(SystemCallError) {
      socket = try PacketSocket.withAddress(of: name, in: places.directory) { path throws(SystemCallError) in
        HeldDescriptor(try PacketSocket.connect(path, seconds: 2))
      }
      host = try PacketPeer.of(socket.descriptor).user
    } catch {
      switch error.errno {
      // The session has no viewfinder, its host has exited, or too many clients are waiting to connect.
      case .noSuchFile, .connectionRefused, .notADirectory: throw .absent
      default: throw .system(error)
      }
    }
    guard host == CurrentProcess.effectiveUserID else { throw .otherUser(user: host) }
    return socket
  }

  private static func answer(
    _ socket: borrowing Descriptor
  ) throws(SessionViewfinderError) -> PacketSocket.Packet {
    let arrival: PacketSocket.ReceiveOutcome?
    do throws(SystemCallError) {
      let found = try Poller.wait([(socket.rawValue, .readable)], until: MonotonicClock.now + replyTimeout)
      let limit = ViewfinderDescription.maximumBytes
      arrival = found[0].isEmpty ? nil : try PacketSocket.receive(limit: limit, from: socket)
    } catch { throw .system(error) }
    switch arrival {
    case .packet(let packet): return packet
    case .end, .nothing: throw .absent
    case .tooLarge: throw .malformed
    case nil: throw .timedOut
    }
  }
}

/// A reason why a session's viewfinder cannot be shown.
package enum SessionViewfinderError: Error, Hashable, Sendable {
  /// The session does not show a viewfinder yet, or not any longer.
  case absent
  /// The session belongs to another user.
  case otherUser(user: UInt32)
  /// The host did not reply in time.
  case timedOut
  /// The host's reply has the format of another version.
  case malformed
  /// A system call failed.
  case system(SystemCallError)
}
