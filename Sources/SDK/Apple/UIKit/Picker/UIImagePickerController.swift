// SPDX-License-Identifier: Apache-2.0

internal import CaptureImage
internal import Foundation
package import LockedCameraCapture

/// A camera interface that is ready to use: a viewfinder, and a picture for each press of a capture button;
/// UIKit's class for the capture extension of Apple's template.
///
/// It meets all requirements of the watchdog. Show it with a `UIViewControllerRepresentable` of the module `SwiftUI`. It writes each
/// picture as a JPEG file into the session content directory before it notifies the ``delegate``, so no
/// picture depends on the delegate. It captures no videos, and there is no interface for the photo library.
@MainActor
open class UIImagePickerController: UIViewController {
  /// The sources of media.
  public enum SourceType: Int, Sendable {
    /// The photo library; unavailable.
    case photoLibrary
    /// The camera.
    case camera
    /// The camera roll; unavailable.
    case savedPhotosAlbum
  }

  /// The cameras of a device.
  public enum CameraDevice: Int, Sendable {
    /// The camera on the back.
    case rear
    /// The camera on the front.
    case front
  }

  /// The keys of the information about a picture.
  public struct InfoKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key.
    public let rawValue: String

    /// Creates a key with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The media type, a `String`.
    public static let mediaType = InfoKey(rawValue: "UIImagePickerControllerMediaType")
    /// The JPEG file in the session content directory, a `URL`.
    public static let imageURL = InfoKey(rawValue: "UIImagePickerControllerImageURL")
  }

  /// The identifier of the only media type that a picker captures.
  private static let image = "public.image"

  /// The source of media. Any other source than the camera is a programming error and traps, like Apple's
  /// exception; see ``isSourceTypeAvailable(_:)``.
  open var sourceType = SourceType.camera {
    didSet { precondition(sourceType == .camera, "the source type \(sourceType) is unavailable; use camera") }
  }

  /// The identifiers of the media types to capture. Types other than images are ignored, so that sources can
  /// be shared with Apple's systems.
  open var mediaTypes = [UIImagePickerController.image]

  /// The camera that the author prefers. The host selects the camera, so the property has no effect.
  open var cameraDevice = CameraDevice.rear

  /// The object that is notified of each picture. It is not retained.
  open weak var delegate: (any UIImagePickerControllerDelegate & UINavigationControllerDelegate)?

  /// The session whose content directory receives the pictures, or `nil` before the picker is shown.
  package var session: LockedCameraCaptureSession?

  /// Returns whether a source is available: the camera in a capture extension.
  public class func isSourceTypeAvailable(_ sourceType: SourceType) -> Bool {
    sourceType == .camera && ExecutionRole.current == .captureExtension
  }

  /// Returns the identifiers of the media types that a source provides, or `nil` if it is unavailable.
  public class func availableMediaTypes(for sourceType: SourceType) -> [String]? {
    isSourceTypeAvailable(sourceType) ? [image] : nil
  }

  /// Takes a picture of the newest frame, or of the first frame that arrives.
  ///
  /// The file is named after the number of the frame. An error is written to the session log, and the
  /// delegate is not notified.
  open func takePicture() {
    guard let session else { return }
    guard mediaTypes.contains(Self.image) else {
      session.log(.error, "the media types of the picker contain no images; add '\(Self.image)'")
      return
    }
    session.takePicture { frame in
      let file = try session.writeContent(JPEGEncoder().encode(frame), to: "IMG_\(frame.sequence).jpg")
      let info: [InfoKey: Any] = [.mediaType: Self.image, .imageURL: file]
      self.delegate?.imagePickerController(self, didFinishPickingMediaWithInfo: info)
    }
  }
}
