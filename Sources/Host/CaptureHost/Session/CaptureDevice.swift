// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
package import CameraSource
internal import LinuxPrimitives
internal import Microphones

/// The names by which users select cameras and microphones, and by which their use is recorded.
package enum CaptureDevice {
  /// Returns the name of a source that is not a camera. For a file, this is its canonical path.
  package static func name(_ text: String) -> String {
    guard !text.hasPrefix(MicrophoneSpecification.devicePrefix) else { return text }
    return (try? FileSystem.realPath(text)) ?? text
  }

  /// Whether the source can be opened only once, so that it must not be opened to find its name.
  package static func isSingleUse(_ text: String) -> Bool { CameraSpecification.isSingleUse(text) }

  /// Returns the name of a source that is given as for `--camera` or `--microphone`, or as listed by
  /// `darkroom camera list`.
  ///
  /// The identity of a camera is queried without reading a frame. Throws an error if the camera cannot be
  /// queried.
  package static func resolvedName(_ text: String) throws(FrameSourceError) -> String {
    guard CameraSpecification.isCameraName(text) else {
      let pattern = FrameSourceOpener.pattern
      return text.hasPrefix("\(pattern):") ? pattern : name(text)
    }
    do throws(CameraFault) {
      return try CameraOpener.openCamera(CameraSpecification(text).path).identity.uniqueID
    } catch { throw FrameSourceError(text, .camera(error)) }
  }
}
