// SPDX-License-Identifier: Apache-2.0

/// An orientation of frames: Apple's older names for rotation angles.
public enum AVCaptureVideoOrientation: Int, Sendable {
  /// The machine is upright.
  case portrait = 1
  /// The machine is upside down.
  case portraitUpsideDown = 2
  /// The top of the machine is on the left.
  case landscapeRight = 3
  /// The top of the machine is on the right.
  case landscapeLeft = 4

  /// The orientation of each number of clockwise quarter turns.
  fileprivate static let byQuarterTurns: [AVCaptureVideoOrientation] = [
    .portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight,
  ]
}

extension AVCaptureConnection {
  /// Whether the frames can be rotated.
  public var isVideoOrientationSupported: Bool { isVideoRotationAngleSupported(90) }

  /// The orientation of the machine for which the frames are level: another form of ``videoRotationAngle``.
  public var videoOrientation: AVCaptureVideoOrientation {
    get { AVCaptureVideoOrientation.byQuarterTurns[geometry.quarterTurns] }
    set {
      let turns = AVCaptureVideoOrientation.byQuarterTurns.firstIndex(of: newValue) ?? 0
      videoRotationAngle = FrameGeometry.angles[turns]
    }
  }
}
