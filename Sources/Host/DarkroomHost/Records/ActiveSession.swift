// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SessionStore
internal import Viewfinders

/// A running session of any host of the state directory.
public struct ActiveSession: Sendable, Hashable {
  /// The ID.
  public let id: String
  /// The ID of the app.
  public let appID: String
  /// The ID of the extension.
  public let extensionID: String
  /// The process ID of the host. SIGTERM to the host dismisses the session and migrates its content.
  public let hostProcess: Int32
  /// The start of the session or of its prewarming, in milliseconds since 1970.
  public let startedAt: Int64
  /// Whether the extension is prewarmed and was not launched yet.
  public let isPrewarmed: Bool

  /// Creates a description of a session.
  init(_ session: LiveSession) {
    (id, appID, extensionID) = (session.id.description, session.app, session.extensionID)
    (hostProcess, startedAt) = (session.hostProcess, session.startedAt)
    isPrewarmed = session.stage == .prewarmed
  }
}

/// An image of the viewfinder of a session.
public struct ViewfinderImage: Sendable, Hashable {
  /// A format of image files.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// Portable Network Graphics, without loss.
    case png
    /// JPEG, with a quality of 95 of 100.
    case jpeg
  }

  /// The bytes of the file.
  public let bytes: [UInt8]
  /// The format.
  public let format: Format
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The sequence number of the frame, which starts at 1.
  public let sequence: UInt64
  /// The capture time in milliseconds since 1970, or `nil` if the time that the extension reports is not
  /// plausible.
  public let takenAt: Int64?
}

extension DarkroomHost {
  /// Returns the running sessions of all hosts of the state directory, oldest first. Prewarmed extensions are
  /// included.
  ///
  /// - Throws: ``HostError/system(_:)`` if the state directory cannot be read.
  public func activeSessions() async throws(HostError) -> [ActiveSession] {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) { return try LiveSessions.list(in: root).map { ActiveSession($0) } } catch {
        throw HostError(error)
      }
    }
  }

  /// Returns an image of the newest frame of a session's viewfinder. The session can belong to another host
  /// of the same user. Neither the extension nor its host waits for the copy.
  ///
  /// - Parameters:
  ///   - session: The ID of a running session.
  ///   - format: The format of the image.
  ///
  /// - Returns: The image.
  ///
  /// - Throws: ``HostError/viewfinder(_:)`` if the session shows no viewfinder, or ``HostError/argument(_:)``
  ///   if no session with this ID is running.
  public func image(
    ofViewfinder session: String,
    as format: ViewfinderImage.Format = .png
  ) async throws(HostError) -> ViewfinderImage {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      let live: [LiveSession]
      do throws(StoreError) { live = try LiveSessions.list(in: root) } catch { throw HostError(error) }
      guard let id = SessionID(session), live.contains(where: { $0.id == id && $0.stage == .running }) else {
        throw HostError(
          argument: "no session with the ID '\(session)' is running; use an ID of a running session"
        )
      }
      return try ViewfinderImage(of: id, in: root, as: format)
    }
  }
}

extension ViewfinderImage {
  /// Creates an image of the newest frame of a session.
  fileprivate init(of id: SessionID, in root: StateRoot, as format: Format) throws(HostError) {
    let viewfinder: SessionViewfinder
    do throws(SessionViewfinderError) { viewfinder = try SessionViewfinder.open(root.session(id)) } catch {
      throw HostError(error, id)
    }
    let still: PreviewObserver.Still
    switch viewfinder.newest() {
    case .still(let newest): still = newest
    case .none: throw HostError(SessionViewfinderError.absent, id)
    case .contended:
      throw .viewfinder(
        .init(
          "the extension of session \(id) overwrites its frames faster than a frame can be copied; try again"
        )
      )
    }
    let geometry = viewfinder.geometry
    do throws(StillImageEncodingError) {
      bytes = try StillImageEncoder.encode(still.pixels, geometry, as: format == .png ? .png : .jpeg)
    } catch { throw .system(.init("\(error)")) }
    (self.format, width, height) = (format, geometry.width, geometry.height)
    (sequence, takenAt) = (still.sequence, viewfinder.captureTime(of: still))
  }
}

extension HostError {
  /// Creates an error from the failure to read the viewfinder of a session.
  init(_ error: SessionViewfinderError, _ id: SessionID) {
    switch error {
    case .absent:
      self = .viewfinder(
        Failure("session \(id) has not shown a viewfinder yet, or has ended; try again later")
      )
    case .otherUser(let user):
      self = .viewfinder(Failure("session \(id) belongs to UID \(user); run this program as that user"))
    case .timedOut:
      self = .viewfinder(
        Failure("the host of session \(id) does not answer and may be stopped; try again later")
      )
    case .malformed:
      self = .viewfinder(
        Failure("the host of session \(id) has another version of Darkroom; use the same version")
      )
    case .system(let error): self.init(error)
    }
  }
}
