// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// How the camera of a session is doing.
///
/// A camera can be unplugged, or become slower in the dark. The session goes on without it: an extension finishes what
/// it has, and says what has happened.
public struct SessionCameraState: Sendable, Hashable {
  /// Why no more frames come.
  public enum EndReason: Sendable, Hashable, CaseIterable {
    /// The film that stands for a camera is over.
    case finished
    /// The camera is gone, or what drives it.
    case unplugged
    /// Its frames have another size now.
    case formatChanged
    /// It gives no frames any more, for another reason.
    case failed
  }

  /// How many frames a second it gives, as far as the host knows; nil: the session has no camera.
  public internal(set) var framesPerSecond: Double?
  /// Why no more frames come; nil: they do, or will.
  public internal(set) var endReason: EndReason?
  /// The same as a sentence for people; nil as long as there is no reason.
  public internal(set) var endMessage: String?

  /// What is known of a camera at first.
  init(_ camera: CameraDescription?) { framesPerSecond = camera.map { Self.framesPerSecond($0.frameRate) } }

  /// No more frames come.
  mutating func note(_ ending: CameraEnding) {
    endMessage = ending.message
    endReason =
      switch ending.reason {
      case .finished: .finished
      case .unplugged: .unplugged
      case .formatChanged: .formatChanged
      case .failed: .failed
      }
  }

  /// It goes on otherwise.
  mutating func note(_ change: CameraChange) { framesPerSecond = Self.framesPerSecond(change.frameRate) }

  /// A rate as a number.
  private static func framesPerSecond(_ rate: ExtensionProtocol.FrameRate) -> Double {
    Double(rate.numerator) / Double(rate.denominator)
  }
}

extension LockedCameraCaptureSession {
  /// How the camera is doing: as it is now, then whenever that changes; until the session ends.
  ///
  /// Each use follows it anew, so there may be several. Apple's framework tells it by notifications of
  /// `AVCaptureSession`.
  @MainActor
  public var cameraState: some AsyncSequence<SessionCameraState, Never> & Sendable {
    runtime.cameraState.values()
  }
}
