// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import LockedCameraCapture

/// The description of a photo that its file contains as Exif metadata.
public struct PhotoDescription: Sendable, Hashable {
  /// The orientation of the pixels: the value of the TIFF tag `Orientation`, from 1 to 8; 1 is upright.
  public var orientation: Int
  /// The capture time, or `nil` if it is unknown.
  public var date: Date?
  /// The name of the camera, or `nil` if it is unknown.
  public var camera: String?
  /// Whether the flash was lit, or `nil` if it is unknown.
  public var isFlashFired: Bool?

  /// Creates a description.
  ///
  /// - Parameters:
  ///   - orientation: The value of the TIFF tag `Orientation`; a number outside 1...8 becomes 1.
  ///   - date: The capture time.
  ///   - camera: The name of the camera.
  public init(orientation: Int = 1, date: Date? = nil, camera: String? = nil) {
    self.orientation = (1...8).contains(orientation) ? orientation : 1
    self.date = date
    self.camera = camera
  }

  /// The capture time in the form of Exif, `2026:11:29 13:52:31`, in UTC; `nil` if it is unknown.
  public var exifDate: String? { date.map { Self.exifDate($0) } }

  private static func exifDate(_ date: Date) -> String {
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeSeparator: .colon)
    let text = style.year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false).format(
      date
    )
    return String(text.map { $0 == "-" ? ":" : $0 }.prefix(19))
  }
}

extension JPEGEncoder {
  /// Encodes a frame as a JPEG file with Exif metadata.
  ///
  /// - Parameters:
  ///   - frame: The frame. If it is not a copy, check ``LockedCameraCapture/CaptureFrame/isIntact`` afterwards.
  ///   - description: The description of the photo.
  /// - Returns: The bytes of the file.
  /// - Throws: ``JPEGEncodingError`` if libjpeg-turbo fails.
  public func encode(
    _ frame: borrowing CaptureFrame,
    describedBy description: PhotoDescription
  ) throws(JPEGEncodingError) -> [UInt8] {
    let segment = ExifSegment(description, width: frame.width, height: frame.height).bytes
    var file = try encode(frame)
    // Exif requires its segment directly after the marker for the start of the image, which has two bytes.
    file.insert(contentsOf: segment, at: 2)
    return file
  }
}
