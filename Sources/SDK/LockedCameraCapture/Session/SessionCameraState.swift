// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The state of the session's camera.
///
/// A camera can be unplugged, or deliver fewer frames in the dark. The session continues without a camera, so
/// that the extension can finish its captures and inform the user.
public struct SessionCameraState: Sendable, Hashable {
  /// The reason why the camera delivers no more frames.
  public enum EndReason: Sendable, Hashable, CaseIterable {
    /// The video file that simulates a camera has ended.
    case finished
    /// The camera or its driver was removed.
    case unplugged
    /// The size of the frames has changed.
    case formatChanged
    /// The camera failed for another reason.
    case failed
  }

  /// The frame rate, in frames per second, as far as the host knows it; `nil` if the session has no camera.
  public internal(set) var framesPerSecond: Double?
  /// The reason why the camera delivers no more frames, or `nil` if it has not ended.
  public internal(set) var endReason: EndReason?
  /// The reason as readable text, or `nil` if the camera has not ended.
  public internal(set) var endMessage: String?

  /// Creates the state of a camera at launch.
  init(_ camera: CameraDescription?) { framesPerSecond = camera.map { Self.framesPerSecond($0.frameRate) } }

  /// Records that the camera has ended.
  mutating func apply(_ ending: CameraEndNotice) {
    endMessage = ending.message
    endReason =
      switch ending.reason {
      case .finished: .finished
      case .unplugged: .unplugged
      case .formatChanged: .formatChanged
      case .failed: .failed
      }
  }

  /// Records a change of the frame rate.
  mutating func apply(_ change: CameraChange) { framesPerSecond = Self.framesPerSecond(change.frameRate) }

  /// Returns a rational frame rate as a floating-point number.
  private static func framesPerSecond(_ rate: ExtensionProtocol.FrameRate) -> Double {
    Double(rate.numerator) / Double(rate.denominator)
  }
}

extension LockedCameraCaptureSession {
  /// The state of the camera: the current state, then each change.
  ///
  /// The sequence ends with the session. Each iteration is independent, so several may run at the same time.
  /// Apple's framework reports such changes by notifications of `AVCaptureSession`.
  @MainActor
  public var cameraState: some AsyncSequence<SessionCameraState, Never> & Sendable {
    runtime.cameraState.values()
  }
}
