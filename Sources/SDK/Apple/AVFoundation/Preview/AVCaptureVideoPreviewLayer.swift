// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture
internal import Synchronization

/// The way in which a preview fills its bounds.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
  /// Apple's name.
  public let rawValue: String

  /// Creates a value from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The whole frame is visible; its shape is kept.
  public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
  /// The bounds are filled; the shape of the frame is kept, and its edges may be cut off.
  public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
  /// The bounds are filled; the frame is stretched.
  public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")
}

/// The preview of a capture session: the values with which a view shows the frames. It may be used on any
/// thread.
public final class AVCaptureVideoPreviewLayer: Sendable {
  private let state = Mutex(State())

  private struct State: Sendable {
    weak var session: AVCaptureSession?
    var gravity = AVLayerVideoGravity.resizeAspect
    var connection: AVCaptureConnection?
  }

  /// Creates a preview without a session.
  public init() {}

  /// Creates a preview of a session.
  public convenience init(session: AVCaptureSession) {
    self.init()
    self.session = session
  }

  /// The session, which is not retained, or `nil` if there is none.
  public var session: AVCaptureSession? {
    get { state.withLock(\.session) }
    set { state.withLock { ($0.session, $0.connection) = (newValue, nil) } }
  }

  /// The way in which the frames fill the bounds; initially ``AVLayerVideoGravity/resizeAspect``.
  public var videoGravity: AVLayerVideoGravity {
    get { state.withLock(\.gravity) }
    set { state.withLock { $0.gravity = newValue } }
  }

  /// The connection with the camera of the session, or `nil` if the session has no camera.
  ///
  /// A view that shows the frames applies its rotation and mirroring.
  public var connection: AVCaptureConnection? {
    let port = session?.inputs.flatMap(\.ports).first { $0.mediaType == .video }
    guard let port else { return nil }
    return state.withLock { state in
      if let connection = state.connection, connection.inputPorts.first === port { return connection }
      let connection = AVCaptureConnection(port, self)
      state.connection = connection
      return connection
    }
  }

  /// Whether the session delivers frames to this preview.
  public var isPreviewing: Bool { connection?.isActive == true }

  /// Calls `body` with the newest frame, without a copy.
  ///
  /// - Parameter body: The closure that draws the frame.
  /// - Returns: The result of `body`, or `nil` if the session does not run or there is no frame yet.
  /// - Throws: The error of `body`.
  @MainActor
  package func withNewestFrame<Result>(_ body: (borrowing CaptureFrame) throws -> Result) rethrows -> Result?
  {
    guard isPreviewing, let source = CurrentSession.session else { return nil }
    return try source.withNewestFrame(body)
  }
}
