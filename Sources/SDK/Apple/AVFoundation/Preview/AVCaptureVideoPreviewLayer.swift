// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture
public import QuartzCore
internal import Synchronization

// Unchecked, because the compiler does not check subclasses: the only stored property is a mutex.
/// A layer that shows the frames of a capture session.
///
/// The frames are visible while the layer is the layer of a view in the viewfinder, or in such a layer. It may be used on
/// any thread.
public final class AVCaptureVideoPreviewLayer: CALayer, FrameLayer, @unchecked Sendable {
  private let state = Mutex(State())

  private struct State: Sendable {
    var session: AVCaptureSession?
    var gravity = AVLayerVideoGravity.resizeAspect
    var connection: AVCaptureConnection?
  }

  /// Creates a preview without a session.
  public required init() {}

  /// Creates a preview of a session.
  public convenience init(session: AVCaptureSession) {
    self.init()
    self.session = session
  }

  /// The session, or `nil` if there is none.
  public var session: AVCaptureSession? {
    get { state.withLock(\.session) }
    set {
      let former = state.withLock { state in
        defer { (state.session, state.connection) = (newValue, nil) }
        return state.session
      }
      former?.graph.removePreview(self)
      newValue?.graph.addPreview(self)
      setNeedsDisplay()
    }
  }

  /// The way in which the frames fill the bounds; initially ``AVLayerVideoGravity/resizeAspect``.
  public var videoGravity: AVLayerVideoGravity {
    get { state.withLock(\.gravity) }
    set {
      state.withLock { $0.gravity = newValue }
      setNeedsDisplay()
    }
  }

  /// The connection with the camera of the session, whose rotation and mirroring the layer applies, or `nil` if the session
  /// has no camera.
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

  package func frameFit(width: Int, height: Int) -> FrameFit? {
    let geometry = connection?.geometry ?? FrameGeometry()
    return FrameFit(
      frame: CGSize(width: width, height: height),
      in: bounds,
      videoGravity.fitGravity,
      quarterTurns: geometry.quarterTurns,
      isMirrored: geometry.isMirrored
    )
  }

  // MARK: Coordinates

  /// Returns the point of the camera's frame that is shown at a point of the layer, for the focus and the exposure.
  ///
  /// - Parameter pointInLayer: The point in points of the layer.
  /// - Returns: The point, from (0, 0) at the upper left corner of the frame to (1, 1); (0.5, 0.5) if the layer shows nothing.
  public func captureDevicePointConverted(fromLayerPoint pointInLayer: CGPoint) -> CGPoint {
    cameraFit?.framePoint(at: pointInLayer) ?? CGPoint(x: 0.5, y: 0.5)
  }

  /// Returns the point of the layer at which a point of the camera's frame is shown, or the origin if the layer shows nothing.
  public func layerPointConverted(fromCaptureDevicePoint captureDevicePointOfInterest: CGPoint) -> CGPoint {
    cameraFit?.point(ofFramePoint: captureDevicePointOfInterest) ?? .zero
  }

  /// The place of the frames of the camera, or `nil` if there is no camera.
  private var cameraFit: FrameFit? {
    let size = AVCaptureDevice.default(for: .video)?.activeFormat.formatDescription.dimensions
    return size.flatMap { frameFit(width: Int($0.width), height: Int($0.height)) }
  }
}
