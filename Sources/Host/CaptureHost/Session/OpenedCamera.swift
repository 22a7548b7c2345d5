// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
package import ExtensionProtocol
internal import LinuxPrimitives

/// A camera that was opened for a session and is attached to nothing yet.
package final class OpenedCamera {
  /// What the extension is told of it.
  package let description: CameraDescription
  /// What the person selects it by.
  let device: String
  /// Nobody else has it: it was made here, and is given away once.
  private nonisolated(unsafe) var source: (any FrameSource)?

  /// Opens one; `-` is the standard input of whoever asks. A signal of the host ends the wait for it.
  package init(
    _ specification: String,
    _ standardInput: Int32,
    _ signals: HostSignals?
  ) throws(CameraFeedError) {
    if CameraSpecification.names(specification) {
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

  /// Whether opening it twice gives the same frames.
  package static func isRepeatable(_ camera: String) -> Bool {
    let pattern = FrameSourceOpener.pattern
    if camera == pattern || camera.hasPrefix("\(pattern):") { return true }
    guard camera != FrameSourceOpener.dash, !CameraSpecification.names(camera) else { return false }
    return (try? FileSystem.open(camera, .path).status().kind) == .regular
  }

  /// Whether it is something that is there, and that can't be opened a second time.
  package static func givesFramesOnce(_ camera: String) -> Bool {
    if CameraSpecification.isOpenedOnce(camera) { return true }
    if isRepeatable(camera) || CameraSpecification.names(camera) { return false }
    return camera == FrameSourceOpener.dash || (try? FileSystem.open(camera, .path)) != nil
  }

  /// Replaces the source of the frames by another one that uses it.
  func replaceSource(_ replacement: (any FrameSource) -> any FrameSource) {
    source = source.map(replacement)
  }

  /// Gives the source away; nil: it was given away before.
  func take() -> sending (any FrameSource)? {
    nonisolated(unsafe) let taken = source
    source = nil
    return taken
  }
}
