// SPDX-License-Identifier: Apache-2.0

internal import CV4L2
internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives

/// Makes what a device gives I420 pixels (libv4lconvert).
///
/// The library also knows of cameras that are built in upside down, and turns their frames.
final class FrameConverter {
  /// The library, loaded with the first camera; nil: it is not there.
  private static let library: darkroom_v4lconvert? = LibraryFunctions.load { darkroom_v4lconvert_load($0) }

  /// The functions.
  private let library: darkroom_v4lconvert
  /// The library's object, made in `init` and freed in `deinit`.
  private let object: OpaquePointer

  /// Makes a converter for the frames of an open device, whose number stays valid as long as the converter lives; nil:
  /// nothing is known of where they come from.
  init(_ descriptor: Int32?) throws(CameraFault) {
    guard var library = Self.library,
      let object = descriptor.map({ library.create($0) }) ?? darkroom_v4lconvert_plain(&library)
    else { throw .noConverter }
    self.library = library
    self.object = object
  }

  deinit { library.destroy(object) }

  /// Writes a frame to the planes of a slot, which follow each other; the library's words if it cannot.
  func convert(
    _ frame: UnsafeMutableRawBufferPointer,
    _ picture: CameraPicture,
    into slot: UnsafeMutableRawBufferPointer,
    _ layout: FrameRingGeometry
  ) -> String? {
    let target = slot.part(layout.pixels)
    guard layout.isPacked, target.count == 3 * picture.width * picture.height / 2,
      let from = frame.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let to = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return "the frame does not have the size of its slot" }
    // The library reads some formats beyond their end.
    if let least = picture.leastBytes, frame.count < least { return "\(frame.count) bytes of \(least)" }
    var old = Self.format(picture.pixels, picture, stride: picture.stride, bytes: picture.bytes)
    var new = Self.format(.i420, picture, stride: picture.width, bytes: target.count)
    let count = library.convert(object, &old, &new, from, Int32(frame.count), to, Int32(target.count))
    if count == target.count { return nil }
    if count >= 0 { return "\(count) bytes of \(target.count) came out of it" }
    let words = library.error_message(object).map { String(cString: $0) } ?? ""
    return String(words.filter { !$0.isNewline })
  }

  /// A format as the kernel has it.
  private static func format(
    _ pixels: PixelFormat,
    _ picture: CameraPicture,
    stride: Int,
    bytes: Int
  ) -> v4l2_format {
    var format = v4l2_format()
    format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    format.fmt.pix.pixelformat = pixels.code
    format.fmt.pix.width = UInt32(picture.width)
    format.fmt.pix.height = UInt32(picture.height)
    format.fmt.pix.bytesperline = UInt32(stride)
    format.fmt.pix.sizeimage = UInt32(bytes)
    format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    return format
  }
}
