// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Foundation
public import LockedCameraCapture
public import QuartzCore
internal import Synchronization

extension AVCaptureDevice {
  /// The rotation that makes frames level when the user rotates the machine. It may be used on any thread.
  ///
  /// The angles follow the orientations that the manifest of the extension lists. They change on the main
  /// thread, and cannot be observed by key.
  public final class RotationCoordinator: Sendable {
    /// The camera.
    public let device: AVCaptureDevice?
    /// The preview, which is not retained.
    public var previewLayer: CALayer? { layer.object }
    private let layer: Unretained
    private let angle = Mutex(CGFloat(0))

    private struct Unretained: Sendable { weak let object: CALayer? }

    /// Creates a coordinator.
    ///
    /// - Parameters:
    ///   - device: The camera.
    ///   - previewLayer: The preview, or `nil` for none.
    public init(device: AVCaptureDevice, previewLayer: CALayer?) {
      self.device = device
      layer = Unretained(object: previewLayer)
      guard let session = CurrentSession.session else { return }
      if CurrentSession.isInMainQueue {
        MainActor.assumeIsolated { follow(session) }
      } else {
        DispatchQueue.main.async { MainActor.assumeIsolated { self.follow(session) } }
      }
    }

    /// The clockwise rotation of a preview in degrees.
    public var videoRotationAngleForHorizonLevelPreview: CGFloat { angle.withLock { $0 } }

    /// The clockwise rotation of a photo or movie in degrees.
    public var videoRotationAngleForHorizonLevelCapture: CGFloat { angle.withLock { $0 } }

    @MainActor
    private func follow(_ session: LockedCameraCaptureSession) {
      let update = { [weak self, weak session] in
        guard let self, let session else { return }
        let new = session.orientation.rotationAngle
        self.angle.withLock { $0 = new }
      }
      update()
      session.onEvent(update)
    }
  }
}

extension InterfaceOrientation {
  /// The clockwise rotation, in degrees, that makes a frame level.
  var rotationAngle: CGFloat {
    switch self {
    case .portrait: 0
    case .landscapeRight: 90
    case .portraitUpsideDown: 180
    case .landscapeLeft: 270
    }
  }
}
