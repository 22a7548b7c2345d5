// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
package import CameraSource
internal import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives

/// Frames of a camera that are saved to a file, without an extension.
package struct FrameCapture: Sendable {
  /// A setting of the camera that is changed first, and keeps its value.
  package typealias Setting = (name: String, value: String)

  /// The source of the frames, as for `--camera`.
  package let source: String
  /// The path of the file: an image (`.jpg`, `.png`), or a YUV4MPEG2 video (`.y4m`).
  package let path: String
  /// The number of frames. An image is the last of them, because many cameras need some frames to adjust the
  /// exposure.
  package let frames: Int
  /// The format of the image, or `nil` for a video.
  private let format: StillImageEncoder.Format?

  /// A file that was written.
  package struct Result: Sendable {
    /// The number of captured frames.
    package var frames = 0
    /// The size of the file, in bytes.
    package var bytes = 0
    /// The size and the rate of the frames.
    package var geometry: FrameGeometry
  }

  /// Creates a capture that has not been started. The default is 30 frames for a video, and 5 for an image.
  package init(of source: String, to path: String, frames: Int?) throws(FrameCaptureError) {
    let isVideo = path.hasSuffix(".y4m")
    format = StillImageEncoder.Format(nameOf: path)
    guard isVideo || format != nil else { throw .unknownFileType(path: path) }
    (self.source, self.path) = (source, path)
    self.frames = frames ?? (isVideo ? 30 : 5)
  }

  /// Changes settings of the camera. The names and values are those that `darkroom camera show` lists.
  package func adjust(_ settings: [Setting]) throws(FrameCaptureError) {
    guard !settings.isEmpty else { return }
    guard CameraSpecification.isCameraName(source) else { throw .notCameraDevice(source) }
    let path: String
    let device: any VideoDevice
    do throws(CameraFault) {
      path = try CameraSpecification(source).path
      device = try CameraOpener.openCamera(path).device
    } catch { throw .source(FrameSourceError(source, .camera(error))) }
    let controls = device.controls()
    for setting in settings {
      guard let control = controls.first(where: { $0.name == setting.name }) else {
        throw .unknownSetting(setting.name, camera: path)
      }
      guard let value = Int(setting.value), control.accepts(value) else {
        throw .invalidValue(setting.value, of: control, camera: path)
      }
      do throws(SystemCallError) { try device.set(control.id, to: value) } catch {
        throw .notSet(control, camera: path, error)
      }
    }
  }

  /// Saves the frames. The file is replaced when it is complete.
  ///
  /// - Parameters:
  ///   - standardInput: The descriptor of the source `-`.
  ///   - stop: The signal that ends the wait for frames.
  /// - Returns: The size of the written file and of its frames.
  /// - Throws: The reason why the frames were not saved. The file is unchanged then.
  package func run(standardInput: Int32, stop: StopSignal) throws(FrameCaptureError) -> Result {
    let taken: FrameGrabber
    do throws(FrameSourceError) {
      let source: any FrameSource =
        CameraSpecification.isCameraName(source)
        ? try CameraOpener.open(source)
        : try FrameSourceOpener.open(source, standardInput: standardInput, stop: stop)
      taken = try FrameGrabber(source)
    } catch { throw .source(error) }
    if let format { return try writeImage(taken, format, stop) }
    return try writeVideo(taken, stop)
  }

  private func writeVideo(
    _ taken: FrameGrabber,
    _ stop: StopSignal
  ) throws(FrameCaptureError) -> Result {
    var written = Result(geometry: taken.geometry)
    var failure: FrameSourceError?
    do throws(OutputFileError) {
      try OutputFile(path).write(mode: 0o644) { file throws(SystemCallError) in
        written = Result(geometry: taken.geometry)
        try Self.append(Array(Y4MHeader(geometry: taken.geometry).line.utf8), to: file, &written)
        while written.frames < frames {
          do throws(FrameSourceError) { if try !taken.next(stop: stop) { break } } catch {
            failure = error
            throw SystemCallError("read", errno: .inputOutput)
          }
          try Self.append(Array("\(Y4MHeader.frameMarker)\n".utf8) + Array(taken.pixels), to: file, &written)
          written.frames += 1
        }
        guard written.frames > 0 else {
          failure = FrameSourceError(source, .empty)
          throw SystemCallError("read", errno: .inputOutput)
        }
      }
    } catch {
      if let failure { throw .source(failure) }
      throw .notWritten(path: path, error)
    }
    return written
  }

  private static func append(
    _ bytes: [UInt8],
    to file: borrowing Descriptor,
    _ written: inout Result
  ) throws(SystemCallError) {
    try file.writeAll(bytes)
    written.bytes += bytes.count
  }

  /// Writes the last frame.
  private func writeImage(
    _ taken: FrameGrabber,
    _ format: StillImageEncoder.Format,
    _ stop: StopSignal
  ) throws(FrameCaptureError) -> Result {
    var written = Result(geometry: taken.geometry)
    do throws(FrameSourceError) {
      while written.frames < frames, try taken.next(stop: stop) { written.frames += 1 }
      guard written.frames > 0 else { throw FrameSourceError(source, .empty) }
    } catch { throw .source(error) }
    let file: [UInt8]
    do throws(StillImageEncodingError) {
      file = try StillImageEncoder.encode(Array(taken.pixels), taken.layout, as: format)
    } catch { throw .notEncoded(path: path, error) }
    do { try OutputFile(path).write(file, mode: 0o644) } catch { throw .notWritten(path: path, error) }
    written.bytes = file.count
    return written
  }
}
