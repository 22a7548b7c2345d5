// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// A pixel format as a four-character code of the kernel.
package struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  /// The characters as a number, the first in the lowest byte.
  package let code: UInt32

  /// Creates a format from the kernel's number.
  package init(code: UInt32) { self.code = code }

  /// Creates a format from ASCII characters, such as `YUYV`. Shorter names are padded with spaces.
  package init(_ name: StaticString) {
    var code: UInt32 = 0
    let bytes = Array(name.description.utf8.prefix(4))
    for index in 0..<4 { code |= UInt32(index < bytes.count ? bytes[index] : 32) << (8 * UInt32(index)) }
    self.code = code
  }

  /// Creates a format from a name that the user typed, or returns `nil` if the name is not a valid code.
  package init?(named name: some StringProtocol) {
    let bytes = Array(name.utf8)
    guard (3...4).contains(bytes.count), name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else {
      return nil
    }
    code = (0..<4).reduce(0) { $0 | UInt32($1 < bytes.count ? bytes[$1] : 32) << (8 * UInt32($1)) }
  }

  /// I420, the format of frames in rings. The corresponding constant is `V4L2_PIX_FMT_YUV420`.
  package static let i420 = PixelFormat("YU12")
  /// Motion JPEG. The corresponding constant is `V4L2_PIX_FMT_MJPEG`.
  package static let motionJPEG = PixelFormat("MJPG")
  /// JPEG. The corresponding constant is `V4L2_PIX_FMT_JPEG`.
  package static let jpeg = PixelFormat("JPEG")

  /// NV12 in two planes. The corresponding constant is `V4L2_PIX_FMT_NV12M`.
  package static let multiplanarNV12 = PixelFormat("NM12")
  /// I420 in three planes. The corresponding constant is `V4L2_PIX_FMT_YUV420M`.
  package static let multiplanarI420 = PixelFormat("YM12")
  /// YV12 in three planes. The corresponding constant is `V4L2_PIX_FMT_YVU420M`.
  package static let multiplanarYV12 = PixelFormat("YM21")

  /// The supported formats, those with the cheapest conversion first: planar formats, packed formats,
  /// compressed formats, samples of a sensor.
  package static let preferred: [PixelFormat] =
    [
      .i420, PixelFormat("YV12"), PixelFormat("NV12"), PixelFormat("YUYV"), PixelFormat("UYVY"),
      PixelFormat("YVYU"), .multiplanarI420, .multiplanarYV12, .multiplanarNV12,
      PixelFormat("RGB3"), PixelFormat("BGR3"), PixelFormat("GREY"), .motionJPEG, .jpeg,
    ] + BayerFormat.all.map { PixelFormat(code: $0.codeNumber) }

  /// The format of the samples of a sensor with a Bayer filter, or `nil` for another format.
  package var bayer: BayerFormat? { BayerFormat(code: code) }

  /// Whether frames must be decoded.
  package var isCompressed: Bool { self == .motionJPEG || self == .jpeg }

  /// Whether samples are RGB and not luma and chroma, which use only the limited range in most video.
  package var isRGB: Bool { self == PixelFormat("RGB3") || self == PixelFormat("BGR3") || bayer != nil }

  /// The number of bits of a pixel, or `nil` if the format is compressed or unknown.
  package var bitsPerPixel: Int? {
    switch self {
    case .i420, PixelFormat("YV12"), PixelFormat("NV12"): 12
    case PixelFormat("YUYV"), PixelFormat("UYVY"), PixelFormat("YVYU"): 16
    case PixelFormat("RGB3"), PixelFormat("BGR3"): 24
    case PixelFormat("GREY"): 8
    default: bayer.map { 8 * $0.bytesPerSample }
    }
  }

  /// The four characters without trailing spaces. Other characters than ASCII letters and digits are replaced
  /// by a question mark.
  package var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * UInt32($0))) }
    let text = bytes.map { byte -> Character in
      let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      return byte == 32 ? " " : isPlain ? Character(Unicode.Scalar(byte)) : "?"
    }
    return String(String(text.reversed().drop { $0 == " " }.reversed()))
  }
}
