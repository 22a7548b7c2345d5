// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
package import ExtensionProtocol
internal import LinuxPrimitives

/// A camera that was opened for a session and is not attached yet.
package final class OpenedCamera {
  /// The properties of the camera that are reported to the extension.
  package let description: CameraDescription
  /// The name by which users select the camera.
  let device: String
  /// Safe because the source was created here and is passed on once.
  private nonisolated(unsafe) var source: (any FrameSource)?

  /// Opens a camera. The specification `-` is the caller's standard input. A signal of the host cancels the
  /// wait for it.
  package init(
    _ specification: String,
    _ standardInput: Int32,
    _ signals: HostSignals?
  ) throws(CameraFeedError) {
    if CameraSpecification.isCameraName(specification) {
      do {
        let source = try CameraOpener.open(specification)
        description = CameraDescription(source)
        device = source.device
        self.source = source
        return
      } catch { throw .source(error) }
    }
    let stop: StopSignal
    do {
      if let signals {
        stop = try StopSignal(raisedBy: signals.descriptor)
      } else {
        stop = try StopSignal()
      }
    } catch { throw .system(error) }
    do {
      let source = try FrameSourceOpener.open(specification, standardInput: standardInput, stop: stop)
      description = CameraDescription(source)
      device = CaptureDevice.name(source.name)
      self.source = source
    } catch { throw .source(error) }
  }

  /// Returns whether opening the source twice yields the same frames.
  package static func isRepeatable(_ camera: String) -> Bool {
    let pattern = FrameSourceOpener.pattern
    if camera == pattern || camera.hasPrefix("\(pattern):") { return true }
    guard camera != FrameSourceOpener.dash, !CameraSpecification.isCameraName(camera) else { return false }
    return (try? FileSystem.open(camera, .path).status().kind) == .regular
  }

  /// Returns whether the source exists and can be opened only once.
  package static func deliversFramesOnce(_ camera: String) -> Bool {
    if CameraSpecification.isSingleUse(camera) { return true }
    if isRepeatable(camera) || CameraSpecification.isCameraName(camera) { return false }
    return camera == FrameSourceOpener.dash || (try? FileSystem.open(camera, .path)) != nil
  }

  /// Replaces the source of the frames with a source that wraps it.
  func replaceSource(_ replacement: (any FrameSource) -> any FrameSource) {
    source = source.map(replacement)
  }

  /// Returns the source, or `nil` if it was taken before.
  func take() -> sending (any FrameSource)? {
    nonisolated(unsafe) let taken = source
    source = nil
    return taken
  }
}
