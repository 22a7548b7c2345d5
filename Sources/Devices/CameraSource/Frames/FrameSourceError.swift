// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// An error of a frame source, with the name of the source and the reason.
package struct FrameSourceError: Error, Equatable, Sendable {
  /// The name of the source in messages.
  package let source: String
  package let reason: Reason

  /// Creates an error from its parts.
  package init(_ source: String, _ reason: Reason) {
    self.source = source
    self.reason = reason
  }

  /// The reasons why a source can fail.
  package enum Reason: Equatable, Sendable {
    /// A system call failed.
    case system(SystemCallError)
    /// The host stopped the source while it was waiting.
    case stopped
    /// The file or stream is empty.
    case empty
    /// The first bytes match no known format.
    case unknownFormat(firstBytes: [UInt8])
    /// The image file is larger than the limit, in bytes.
    case fileTooLarge(limit: Int)
    /// The frames are too large, or have no size.
    case size(FrameRingLayoutError)
    /// A decoder rejected an image. `message` is the library's message.
    case undecodable(format: ImageFormat, message: String)
    /// The decoder library for this format is unavailable. The associated value is a clause with the fix.
    case libraryUnavailable(String)
    /// The color space of an image is not supported.
    case unsupportedColor(format: ImageFormat, String)
    /// The specification of a test pattern is invalid.
    case pattern(PatternFault)
    /// A stream violates the YUV4MPEG2 format at an offset in bytes.
    case stream(Y4MFault, byte: Int)
    /// A camera device failed.
    case camera(CameraFault)
  }
}

/// The formats of still images.
package enum ImageFormat: String, Sendable {
  /// JPEG (ISO 10918).
  case jpeg = "JPEG"
  /// PNG (ISO 15948).
  case png = "PNG"
}

/// An error in the specification of a test pattern.
package enum PatternFault: Equatable, Sendable {
  /// The specification is not `pattern:WIDTHxHEIGHT@RATE`.
  case syntax
  /// The rate is outside the limits.
  case rate
  /// The frame is too small for the pattern.
  case tooSmall(minimumWidth: Int, minimumHeight: Int)
}

/// An error in a YUV4MPEG2 stream.
package enum Y4MFault: Error, Equatable, Sendable {
  /// A line is longer than the limit, in bytes.
  case lineTooLong(limit: Int)
  /// The stream ends within its header.
  case headerTruncated
  /// The stream ends within frame `frame`, counted from 1.
  case frameTruncated(frame: Int, bytes: Int, needed: Int)
  /// The stream does not start with `YUV4MPEG2`.
  case wrongMagic
  /// The line before frame `frame` does not start with `FRAME`.
  case frameExpected(frame: Int)
  /// A required header tag is missing.
  case missingTag(Character)
  /// A header tag has an invalid value.
  case tag(String)
  /// The rate is outside the limits.
  case rate(String)
  /// The pixel format is not supported.
  case pixelFormat(String)
}

extension FrameSourceError: CustomStringConvertible {
  /// The name of the source and the reason, with a fix.
  package var description: String { "\(source.isEmpty ? "an empty name" : source): \(reason)" }
}

extension FrameSourceError.Reason: CustomStringConvertible {
  /// The reason without the source, with a fix where one is known.
  package var description: String {
    switch self {
    case .system(let error): Self.explanation(error)
    case .stopped: "the host stopped the source before it delivered a frame"
    case .empty: "the file or stream is empty; name an image (JPEG, PNG) or a YUV4MPEG2 stream"
    case .unknownFormat(let bytes):
      """
      the first bytes (\(hexadecimalText(bytes))) are neither JPEG, PNG nor YUV4MPEG2; convert it: \
      ffmpeg -i INPUT -pix_fmt yuv420p -f yuv4mpegpipe OUTPUT.y4m
      """
    case .fileTooLarge(let limit): "the image has more than \(limit) bytes; make it smaller"
    case .size(let error): "\(error); scale the frames down first"
    case .libraryUnavailable(let fault): fault
    case .undecodable(let format, let message):
      "the \(format.rawValue) file is damaged or truncated: \(message); create the file again"
    case .unsupportedColor(let format, let name):
      "the \(format.rawValue) file has \(name) colors, which are not supported; convert it to sRGB"
    case .pattern(let fault): "\(fault)"
    case .stream(let fault, let byte): "at byte \(byte): \(fault)"
    case .camera(let fault): "\(fault)"
    }
  }

  /// The error of a failed open or read, with a fix where one is known.
  private static func explanation(_ error: SystemCallError) -> String {
    switch error.errno {
    case .noSuchFile, .notADirectory:
      "\(error); name an image, a YUV4MPEG2 file or pipe, or a camera that 'darkroom camera list' lists"
    case .isADirectory: "\(error); name an image or a YUV4MPEG2 file in the directory"
    case .permissionDenied: "\(error); make the file readable for this user, or name another file"
    default: "\(error)"
    }
  }
}

extension PatternFault: CustomStringConvertible {
  /// The error, with the valid forms or limits.
  package var description: String {
    switch self {
    case .syntax: "invalid test pattern; use pattern, pattern:640x480 or pattern:640x480@30000/1001"
    case .rate: "the rate must be between 1/3600 and 1000 frames per second"
    case .tooSmall(let width, let height): "the pattern needs at least \(width)x\(height) pixels"
    }
  }
}

extension Y4MFault: CustomStringConvertible {
  /// The error, with a fix.
  package var description: String {
    switch self {
    case .lineTooLong(let limit): "a header line has more than \(limit) bytes; the stream is not YUV4MPEG2"
    case .headerTruncated: "the stream ends inside its header; check whether its writer exited early"
    case .frameTruncated(let frame, let bytes, let needed):
      "the stream ends inside frame \(frame), which has \(bytes) of \(needed) bytes; check whether its writer exited early"
    case .wrongMagic: "the stream does not begin with YUV4MPEG2; write it with ffmpeg -f yuv4mpegpipe"
    case .frameExpected(let frame):
      "the header of frame \(frame) does not begin with FRAME; the stream is damaged, or its size is wrong"
    case .missingTag(let tag): "the header has no tag \(tag); write the stream with ffmpeg -f yuv4mpegpipe"
    case .tag(let text):
      "the header's tag \(text) is not valid; write the stream with ffmpeg -f yuv4mpegpipe"
    case .rate(let text): "the rate \(text) is not between 1/3600 and 1000 frames per second; use ffmpeg -r"
    case .pixelFormat(let name):
      "the pixel format C\(name) is not supported; use ffmpeg -pix_fmt yuv420p"
    }
  }
}
