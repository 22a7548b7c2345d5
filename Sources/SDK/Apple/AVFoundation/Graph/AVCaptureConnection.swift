// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import LockedCameraCapture
internal import Synchronization

/// A connection from an input to an output or a preview layer. It may be used on any thread.
public final class AVCaptureConnection: Sendable {
  /// The streams of the input.
  public let inputPorts: [AVCaptureInput.Port]
  /// The ends of the connection.
  private let end: End
  private let state = Mutex(State())

  private struct End: Sendable {
    weak let output: AVCaptureOutput?
    weak let layer: AVCaptureVideoPreviewLayer?
  }

  private struct State: Sendable {
    var isEnabled = true
    var geometry = FrameGeometry()
  }

  init(_ port: AVCaptureInput.Port, _ output: AVCaptureOutput) {
    (inputPorts, end) = ([port], End(output: output, layer: nil))
  }

  init(_ port: AVCaptureInput.Port, _ layer: AVCaptureVideoPreviewLayer) {
    (inputPorts, end) = ([port], End(output: nil, layer: layer))
  }

  /// The output, or `nil` for a preview layer.
  public var output: AVCaptureOutput? { end.output }

  /// The preview layer, or `nil` for an output.
  public var videoPreviewLayer: AVCaptureVideoPreviewLayer? { end.layer }

  /// Whether media flows through the connection while the session runs; initially `true`.
  public var isEnabled: Bool {
    get { state.withLock(\.isEnabled) }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  /// Whether media flows through the connection now.
  public var isActive: Bool {
    isEnabled && (end.output?.session ?? end.layer?.session)?.isRunning == true
  }

  // MARK: Rotation and mirroring

  /// The rotation and the mirroring of the frames.
  var geometry: FrameGeometry { state.withLock(\.geometry) }

  /// Whether the other end applies rotation and mirroring. Frames of a video data output stay as the camera
  /// delivers them, because they are not copied.
  private var supportsGeometry: Bool {
    inputPorts.first?.mediaType == .video && end.output?.appliesGeometry != false
  }

  /// Returns whether the frames can be rotated by an angle: by 0, and except for video data, by 90, 180 and 270
  /// degrees.
  public func isVideoRotationAngleSupported(_ videoRotationAngle: CGFloat) -> Bool {
    supportsGeometry ? FrameGeometry.angles.contains(videoRotationAngle) : videoRotationAngle == 0
  }

  /// The clockwise rotation of the frames in degrees; initially 0. An angle that is not supported has no
  /// effect.
  public var videoRotationAngle: CGFloat {
    get { CGFloat(geometry.quarterTurns * 90) }
    set {
      guard isVideoRotationAngleSupported(newValue) else { return }
      state.withLock { $0.geometry.quarterTurns = Int(newValue) / 90 }
      end.layer?.setNeedsDisplay()
    }
  }

  /// Whether the frames can be mirrored.
  public var isVideoMirroringSupported: Bool { supportsGeometry }

  /// Whether the frames are mirrored; initially `false`. Without support, setting it has no effect.
  public var isVideoMirrored: Bool {
    get { geometry.isMirrored }
    set {
      guard supportsGeometry else { return }
      state.withLock { $0.geometry.isMirrored = newValue }
      end.layer?.setNeedsDisplay()
    }
  }

  /// Whether the connection decides on the mirroring, always `false`; setting it has no effect.
  public var automaticallyAdjustsVideoMirroring: Bool {
    get { false }
    set {}
  }

  // MARK: Stabilization

  /// Whether the frames can be stabilized; no camera can here.
  public var isVideoStabilizationSupported: Bool { false }

  /// The preferred stabilization; setting it has no effect.
  public var preferredVideoStabilizationMode: AVCaptureVideoStabilizationMode {
    get { .off }
    set {}
  }

  /// The active stabilization, always ``AVCaptureVideoStabilizationMode/off``.
  public var activeVideoStabilizationMode: AVCaptureVideoStabilizationMode { .off }
}

/// A mode of the stabilization of video; no camera stabilizes here.
public enum AVCaptureVideoStabilizationMode: Int, Sendable {
  /// No stabilization.
  case off = 0
  /// Stabilization.
  case standard = 1
  /// Stronger stabilization.
  case cinematic = 2
  /// The camera decides.
  case auto = -1
}

/// The rotation and the mirroring of frames.
struct FrameGeometry: Hashable, Sendable {
  /// The angles that can be set, in degrees.
  static let angles: [CGFloat] = [0, 90, 180, 270]

  /// The number of clockwise quarter turns, from 0 to 3.
  var quarterTurns = 0
  /// Whether the frames are mirrored horizontally, after the rotation.
  var isMirrored = false

  /// The value of the tag `Orientation` in TIFF and Exif: 1 to 8.
  var exifOrientation: Int { (isMirrored ? [2, 5, 4, 7] : [1, 6, 3, 8])[quarterTurns] }
}
