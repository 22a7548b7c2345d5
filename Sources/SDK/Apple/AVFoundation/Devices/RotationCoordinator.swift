// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Foundation
public import LockedCameraCapture
public import QuartzCore

extension AVCaptureDevice {
  /// The rotation that makes frames level when the user rotates the machine. It may be used on any thread.
  ///
  /// The angles follow the orientations that the manifest of the extension lists. They change on the main
  /// thread.
  public final class RotationCoordinator: Sendable {
    /// The camera.
    public let device: AVCaptureDevice?
    /// The preview, which is not retained.
    public var previewLayer: CALayer? { layer.object }
    private let layer: Unretained
    fileprivate let angle = ObservedValue(CGFloat(0))

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
    public var videoRotationAngleForHorizonLevelPreview: CGFloat { angle.value }

    /// The clockwise rotation of a photo or movie in degrees.
    public var videoRotationAngleForHorizonLevelCapture: CGFloat { angle.value }

    /// Calls a handler after each change of an angle.
    ///
    /// - Parameters:
    ///   - keyPath: One of the angles, which are equal here.
    ///   - options: The values that the handler receives, and whether it is also called now.
    ///   - changeHandler: The handler, which is called on the main thread, or on the calling thread for the current value.
    /// - Returns: The observation, which ends when it is released.
    public func observe(
      _ keyPath: KeyPath<RotationCoordinator, CGFloat>,
      options: NSKeyValueObservingOptions = [],
      changeHandler: @escaping @Sendable (RotationCoordinator, NSKeyValueObservedChange<CGFloat>) -> Void
    ) -> NSKeyValueObservation {
      angle.observe(options) { [weak self] change in
        if let self { changeHandler(self, change) }
      }
    }

    @MainActor
    private func follow(_ session: LockedCameraCaptureSession) {
      handleEvent(of: session)
      session.add(self)
    }
  }
}

extension AVCaptureDevice.RotationCoordinator: SessionObserver {
  @MainActor
  package func handleEvent(of session: LockedCameraCaptureSession) {
    angle.value = session.orientation.rotationAngle
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
