// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import CaptureHost
package import ExtensionProtocol
package import LinuxPrimitives
package import SessionStore

/// The viewfinder of a session that runs in another process of this user.
package struct SessionViewfinder {
  /// The frame ring of the viewfinder.
  private let window: PreviewWindow
  /// The lead of the extension's clock over this machine's clock, in nanoseconds.
  private let lead: Int64

  /// The time limit for the host's reply, in nanoseconds.
  private static let patience: UInt64 = 5_000_000_000
  /// The maximum age of a frame in nanoseconds. An earlier timestamp is not plausible.
  private static let oldest: UInt64 = 3_600_000_000_000

  private init(_ window: PreviewWindow, lead: Int64) { (self.window, self.lead) = (window, lead) }

  /// The size of the frames, and the layout of their pixels.
  package var geometry: FrameRingGeometry { window.geometry }

  /// Returns a copy of the newest frame.
  package func newest() -> PreviewWindow.Newest { window.newest() }

  /// Returns the capture time of a frame in milliseconds since 1970, or `nil` if the extension's timestamp is
  /// not plausible.
  package func moment(of still: PreviewWindow.Still) -> Int64? {
    let age = MonotonicClock.now &+ UInt64(bitPattern: lead) &- still.timestamp
    return age < Self.oldest ? WallClock.milliseconds - Int64(age / 1_000_000) : nil
  }

  /// Opens the viewfinder of a running session.
  package static func open(_ places: SessionPlaces) throws(SessionViewfinderError) -> SessionViewfinder {
    let socket = try connect(places)
    let packet = try answer(socket.descriptor)
    guard let offer = ViewfinderOffer(packet.bytes), let ring = packet.descriptors.first else {
      throw .notUnderstood
    }
    let window: PreviewWindow?
    do { window = try PreviewWindow(ring.descriptor, offer.geometry) } catch { throw .system(error) }
    guard let window else { throw .notUnderstood }
    return SessionViewfinder(window, lead: offer.lead)
  }

  private static func connect(_ places: SessionPlaces) throws(SessionViewfinderError) -> HeldDescriptor {
    let name = SessionPlaces.viewfinderSocketName
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
    guard host == CurrentProcess.effectiveUserID else { throw .anothers(user: host) }
    return socket
  }

  private static func answer(
    _ socket: borrowing Descriptor
  ) throws(SessionViewfinderError) -> PacketSocket.Packet {
    let arrival: PacketSocket.Arrival?
    do throws(SystemCallError) {
      let found = try Poller.wait([(socket.rawValue, .readable)], until: MonotonicClock.now + patience)
      let limit = ViewfinderOffer.mostBytes
      arrival = found[0].isEmpty ? nil : try PacketSocket.receive(limit: limit, from: socket)
    } catch { throw .system(error) }
    switch arrival {
    case .packet(let packet): return packet
    case .end, .nothing: throw .absent
    case .tooLarge: throw .notUnderstood
    case nil: throw .silent
    }
  }
}

/// A reason why a session's viewfinder cannot be shown.
package enum SessionViewfinderError: Error, Hashable, Sendable {
  /// The session does not show a viewfinder yet, or not any longer.
  case absent
  /// The session belongs to another user.
  case anothers(user: UInt32)
  /// The host did not reply in time.
  case silent
  /// The host's reply has the format of another version.
  case notUnderstood
  /// A system call failed.
  case system(SystemCallError)
}
