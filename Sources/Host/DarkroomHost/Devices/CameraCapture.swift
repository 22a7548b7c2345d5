// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import CaptureHost
internal import LinuxPrimitives
internal import SessionServices

/// A file with frames of a camera, taken without an extension.
public struct CameraCapture: Sendable, Hashable {
  /// The path of the file.
  public let path: String
  /// The size of the file, in bytes.
  public let bytes: Int
  /// The number of captured frames. An image is the last of them.
  public let frames: Int
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The frames per second.
  public let frameRate: Double
}

extension DarkroomHost {
  /// Saves frames of a camera to a file, as `darkroom camera capture` does. No extension and no app are involved.
  ///
  /// The file is replaced when it is complete. If the task is cancelled, the file stays unchanged. A pipe or device is refused:
  /// its reader could delay the end of a cancelled task.
  ///
  /// - Parameters:
  ///   - camera: The camera.
  ///   - path: The path of an image (`.jpg`, `.png`) or of a YUV4MPEG2 video (`.y4m`).
  ///   - frames: The number of frames, at least 1, or `nil` for 30 frames of a video and 5 frames of an image. An
  ///     image is the last frame, because many cameras need some frames to adjust the exposure.
  ///   - settings: The values of camera settings, such as `["zoom-absolute": 2]`. They are kept after the capture.
  ///
  /// - Returns: The description of the file.
  ///
  /// - Throws: ``HostError/camera(_:)`` if the camera provides no frames or refuses a setting,
  ///   ``HostError/argument(_:)`` if an argument is invalid, or ``HostError/system(_:)`` if the file cannot be
  ///   written.
  public func capture(
    from camera: CameraSelection,
    to path: String,
    frames: Int? = nil,
    settings: [String: Int] = [:]
  ) async throws(HostError) -> CameraCapture {
    if let frames, frames < 1 {
      throw HostError(argument: "the number of frames must be at least 1, not \(frames)")
    }
    return try await HostThread.run { (signals: HostSignals) throws(HostError) in
      try Self.requireFile(path)
      let stop: StopSignal
      do throws(SystemCallError) { stop = try StopSignal(raisedBy: signals.descriptor) } catch {
        throw HostError(error)
      }
      do throws(FrameCaptureError) {
        let capture = try FrameCapture(of: camera.description, to: path, frames: frames)
        try capture.adjust(settings.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") })
        // The standard input belongs to the embedding program.
        return CameraCapture(path, try capture.run(standardInput: -1, stop: stop))
      } catch { throw HostError(error) }
    }
  }

  /// Throws if something else than a regular file, or a link to one, is at a path.
  private static func requireFile(_ path: String) throws(HostError) {
    do throws(SystemCallError) {
      guard let found = try FileSystem.status(path) else { return }
      let target = found.kind == .symbolicLink ? try? FileSystem.status(FileSystem.realPath(path)) : found
      if target?.kind == .regular { return }
    } catch { throw HostError(error) }
    throw HostError(argument: "\(path) is not a regular file; give the path of a file")
  }
}

extension CameraCapture {
  /// Creates a description of a written file.
  fileprivate init(_ path: String, _ written: FrameCapture.Result) {
    let rate = written.geometry.frameRate
    self.path = path
    (bytes, frames) = (written.bytes, written.frames)
    (width, height) = (written.geometry.width, written.geometry.height)
    frameRate = Double(rate.numerator) / Double(rate.denominator)
  }
}

extension HostError {
  /// Creates an error from the reason why frames were not saved.
  fileprivate init(_ error: FrameCaptureError) {
    let failure = Failure("\(error)")
    switch error {
    case .source(let source) where source.reason == .stopped: self = .cancelled
    case .source: self = .camera(failure)
    case .notSet(_, _, let cause): self = .camera(Failure("\(error)", cause))
    case .notWritten(_, .system(let cause)): self = .system(Failure("\(error)", cause))
    case .unknownFileType, .notCameraDevice, .unknownSetting, .invalidValue: self = .argument(failure)
    case .notEncoded, .notWritten: self = .system(failure)
    }
  }
}
