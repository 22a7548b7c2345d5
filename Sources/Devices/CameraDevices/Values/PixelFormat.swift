// SPDX-License-Identifier: Apache-2.0

/// How a device lays out its pixels: four characters, as the kernel has them.
package struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  /// The characters as a number, the first in the lowest byte.
  package let code: UInt32

  /// Wraps the kernel's number.
  package init(code: UInt32) { self.code = code }

  /// The format of four ASCII characters, such as `YUYV`; shorter names are filled up with spaces.
  package init(_ name: StaticString) {
    var code: UInt32 = 0
    let bytes = Array(name.description.utf8.prefix(4))
    for index in 0..<4 { code |= UInt32(index < bytes.count ? bytes[index] : 32) << (8 * UInt32(index)) }
    self.code = code
  }

  /// The format that a person has named by its characters; nil: there can be none of that name.
  package init?(named name: some StringProtocol) {
    let bytes = Array(name.utf8)
    guard (3...4).contains(bytes.count), name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else {
      return nil
    }
    code = (0..<4).reduce(0) { $0 | UInt32($1 < bytes.count ? bytes[$1] : 32) << (8 * UInt32($1)) }
  }

  /// The corresponding constant is `V4L2_PIX_FMT_YUV420`: what the ring has.
  package static let i420 = PixelFormat("YU12")
  /// The corresponding constant is `V4L2_PIX_FMT_MJPEG`.
  package static let motionJPEG = PixelFormat("MJPG")
  /// The corresponding constant is `V4L2_PIX_FMT_JPEG`.
  package static let jpeg = PixelFormat("JPEG")

  /// NV12 in two planes. The corresponding constant is `V4L2_PIX_FMT_NV12M`.
  package static let apartNV12 = PixelFormat("NM12")
  /// I420 in three planes. The corresponding constant is `V4L2_PIX_FMT_YUV420M`.
  package static let apartI420 = PixelFormat("YM12")
  /// YV12 in three planes. The corresponding constant is `V4L2_PIX_FMT_YVU420M`.
  package static let apartYV12 = PixelFormat("YM21")

  /// What is converted, what costs least first: planes before packed samples, samples before a decoder.
  package static let preferred: [PixelFormat] = [
    .i420, PixelFormat("YV12"), PixelFormat("NV12"), PixelFormat("YUYV"), PixelFormat("UYVY"),
    PixelFormat("YVYU"), .apartI420, .apartYV12, .apartNV12,
    PixelFormat("RGB3"), PixelFormat("BGR3"), PixelFormat("GREY"), .motionJPEG, .jpeg,
  ]

  /// Whether frames have to be decoded.
  package var isCompressed: Bool { self == .motionJPEG || self == .jpeg }

  /// Whether samples are luminance and chroma, of which most video uses a part of the numbers only.
  package var isRGB: Bool { self == PixelFormat("RGB3") || self == PixelFormat("BGR3") }

  /// How many bits a pixel of an uncompressed format takes; nil: it depends on the picture, or is not known.
  package var bitsPerPixel: Int? {
    switch self {
    case .i420, PixelFormat("YV12"), PixelFormat("NV12"): 12
    case PixelFormat("YUYV"), PixelFormat("UYVY"), PixelFormat("YVYU"): 16
    case PixelFormat("RGB3"), PixelFormat("BGR3"): 24
    case PixelFormat("GREY"): 8
    default: nil
    }
  }

  /// The four characters, without the spaces at their end; what is no ASCII letter or digit is a question mark.
  package var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * UInt32($0))) }
    let text = bytes.map { byte -> Character in
      let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      return byte == 32 ? " " : isPlain ? Character(Unicode.Scalar(byte)) : "?"
    }
    return String(String(text.reversed().drop { $0 == " " }.reversed()))
  }
}
