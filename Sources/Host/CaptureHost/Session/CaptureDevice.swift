// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
package import CameraSource
internal import LinuxPrimitives
internal import Microphones

/// What persons select cameras and microphones by, and what is noted of their use.
package enum CaptureDevice {
  /// The name of what is no camera: of a file the whole path, so that it is the same wherever it is named.
  package static func name(_ text: String) -> String {
    guard !text.hasPrefix(MicrophoneSpecification.devicePrefix) else { return text }
    return (try? FileSystem.realPath(text)) ?? text
  }

  /// Whether it can be opened once and not again, so that it is not opened only to find out what it is called.
  package static func isOpenedOnce(_ text: String) -> Bool { CameraSpecification.isOpenedOnce(text) }

  /// The name of what a person has typed as they do for `--camera` or `--microphone`, or as `darkroom camera list` has it.
  ///
  /// A camera is asked what it is, which needs no frame. Throws why it cannot be asked.
  package static func named(_ text: String) throws(FrameSourceError) -> String {
    guard CameraSpecification.names(text) else {
      let pattern = FrameSourceOpener.pattern
      return text.hasPrefix("\(pattern):") ? pattern : name(text)
    }
    do throws(CameraFault) {
      return try CameraOpener.openCamera(CameraSpecification(text).path).identity.device
    } catch { throw FrameSourceError(text, .camera(error)) }
  }
}
