// SPDX-License-Identifier: Apache-2.0

internal import CV4L2
internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives

/// A converter of device frames to I420 (libv4lconvert).
///
/// The library also knows cameras that are mounted upside down, and rotates their frames.
final class FrameConverter {
  /// The library, loaded with the first camera, or `nil` if it is unavailable.
  private static let library: darkroom_v4lconvert? = LibraryFunctions.load { darkroom_v4lconvert_load($0) }

  /// The functions.
  private let library: darkroom_v4lconvert
  /// The library's object, created in `init` and freed in `deinit`.
  private let object: OpaquePointer
  /// The upper eight bits of the samples of a sensor, because the library does not know all numbers of bits.
  private var upperBits: [UInt8] = []

  /// Creates a converter for the frames of an open device. The descriptor must stay valid for the lifetime of
  /// the converter; it is `nil` if the frames do not come from a kernel device.
  init(_ descriptor: Int32?) throws(CameraFault) {
    guard var library = Self.library,
      let object = descriptor.map({ library.create($0) }) ?? darkroom_v4lconvert_plain(&library)
    else { throw .converterUnavailable }
    self.library = library
    self.object = object
  }

  deinit { library.destroy(object) }

  /// Converts a frame to the planes of a slot, which must follow each other without gaps. Returns the
  /// library's message if that failed, or `nil`.
  func convert(
    _ frame: UnsafeMutableRawBufferPointer,
    _ picture: ActiveCameraFormat,
    into slot: UnsafeMutableRawBufferPointer,
    _ layout: FrameRingGeometry
  ) -> String? {
    let target = slot.part(layout.pixels)
    guard layout.isPacked, target.count == 3 * picture.width * picture.height / 2,
      let from = frame.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let to = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return "the frame does not have the size of its slot" }
    // The library reads some formats beyond their end.
    if let least = picture.minimumBytes, frame.count < least {
      return "the frame has \(frame.count) of \(least) bytes"
    }
    var new = Self.format(.i420, picture, stride: picture.width, bytes: target.count)
    let count: Int32
    if let bayer = picture.pixels.bayer, bayer.bits > 8 {
      takeUpperBits(UnsafeRawBufferPointer(frame), picture, bits: bayer.bits)
      let size = upperBits.count
      let reduced = PixelFormat(code: bayer.withEightBits.codeNumber)
      var old = Self.format(reduced, picture, stride: picture.width, bytes: size)
      count = upperBits.withUnsafeMutableBufferPointer {
        library.convert(object, &old, &new, $0.baseAddress, Int32(size), to, Int32(target.count))
      }
    } else {
      var old = Self.format(picture.pixels, picture, stride: picture.stride, bytes: picture.bytes)
      count = library.convert(object, &old, &new, from, Int32(frame.count), to, Int32(target.count))
    }
    if count == target.count { return nil }
    if count >= 0 { return "the conversion returned \(count) of \(target.count) bytes" }
    let words = library.error_message(object).map { String(cString: $0) } ?? ""
    return String(words.filter { !$0.isNewline })
  }

  /// Stores the upper eight bits of each sample of a complete frame with two bytes per sample.
  private func takeUpperBits(_ frame: UnsafeRawBufferPointer, _ picture: ActiveCameraFormat, bits: Int) {
    let distance = max(picture.stride, 2 * picture.width)
    let size = picture.width * picture.height
    if upperBits.count != size { upperBits = [UInt8](repeating: 0, count: size) }
    upperBits.withUnsafeMutableBufferPointer { target in
      for row in 0..<picture.height {
        for column in 0..<picture.width {
          let sample = frame.loadUnaligned(fromByteOffset: row * distance + 2 * column, as: UInt16.self)
          target[row * picture.width + column] = UInt8(
            truncatingIfNeeded: UInt16(littleEndian: sample) >> (bits - 8)
          )
        }
      }
    }
  }

  /// Returns a format as a kernel structure.
  private static func format(
    _ pixels: PixelFormat,
    _ picture: ActiveCameraFormat,
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
