// SPDX-License-Identifier: Apache-2.0

package import CameraDevices
package import CameraSource
package import LinuxPrimitives
internal import PolicyExplanation

/// A reason why frames were not saved to a file.
package enum FrameCaptureError: Error, CustomStringConvertible {
  /// The name of the file has an unknown extension.
  case unknownFileType(path: String)
  /// Settings were requested, but the source of the frames is not a camera device.
  case notCameraDevice(String)
  /// The camera has no setting with this name.
  case unknownSetting(String, camera: String)
  /// The setting does not accept the value.
  case invalidValue(String, of: DeviceControl, camera: String)
  /// The camera refused the value of a setting.
  case notSet(DeviceControl, camera: String, SystemCallError)
  /// The source provides no frames.
  case source(FrameSourceError)
  /// The image could not be encoded.
  case notEncoded(path: String, StillImageEncodingError)
  /// The file could not be written.
  case notWritten(path: String, OutputFileError)

  /// The error message.
  package var description: String {
    switch self {
    case .unknownFileType(let path):
      "\(path): unknown file type; give a name that ends with .jpg, .png or .y4m"
    case .notCameraDevice(let name):
      "\(TextTable.printable(name)) is not a camera device; only a camera device has settings"
    case .unknownSetting(let name, let camera):
      "\(camera) has no control '\(TextTable.printable(name))'; \(Self.fix(camera))"
    case .invalidValue(let value, let control, let camera):
      "the control \(control.name) of \(camera) accepts \(control.minimum) to \(control.maximum) in steps of "
        + "\(control.step), not '\(TextTable.printable(value))'"
    case .notSet(let control, let camera, let error):
      "the control \(control.name) of \(camera) cannot be set: \(error); \(Self.fix(camera))"
    case .source(let error): "\(error)"
    case .notEncoded(let path, let error): "\(path): \(error)"
    case .notWritten(let path, let error): "\(path) could not be written: \(error)"
    }
  }

  private static func fix(_ camera: String) -> String {
    "'darkroom camera show \(camera)' lists the controls"
  }
}
