// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// Why a source gives no frames: which source, where in it, and why.
package struct FrameSourceError: Error, Equatable, Sendable {
  /// What people call the source.
  package let source: String
  /// Why.
  package let reason: Reason

  /// Describes a failure.
  package init(_ source: String, _ reason: Reason) {
    self.source = source
    self.reason = reason
  }

  /// The ways in which a source can fail.
  package enum Reason: Equatable, Sendable {
    /// A system call failed.
    case system(SystemCallError)
    /// The host asked for the end while the source was waiting.
    case stopped
    /// There is not one byte.
    case empty
    /// The first bytes are those of no format that is known.
    case unknownFormat(firstBytes: [UInt8])
    /// A picture's file is larger than the limit.
    case fileTooLarge(limit: Int)
    /// The frames are too large, or of no size.
    case size(FrameRingLayoutError)
    /// A decoder refused a picture; the message is the library's own.
    case picture(format: PictureFormat, message: String)
    /// The library that decodes such a picture is not there; a clause with the mend.
    case library(String)
    /// A picture has a kind of colours that is not supported.
    case colours(format: PictureFormat, String)
    /// A name of a pattern is not one.
    case pattern(PatternFault)
    /// A stream is not as YUV4MPEG2 has it.
    case stream(Y4MFault, byte: Int)
    /// A camera that is a device gives none.
    case camera(CameraFault)
  }
}

/// The formats of still pictures.
package enum PictureFormat: String, Sendable {
  /// ISO 10918.
  case jpeg = "JPEG"
  /// ISO 15948.
  case png = "PNG"
}

/// What can be wrong with the name of a pattern.
package enum PatternFault: Equatable, Sendable {
  /// It is not `pattern:WIDTHxHEIGHT@RATE`.
  case syntax
  /// The rate is outside the limits.
  case rate
  /// The pattern has no room in so small a frame.
  case tooSmall(minimumWidth: Int, minimumHeight: Int)
}

/// What can be wrong with a YUV4MPEG2 stream.
package enum Y4MFault: Error, Equatable, Sendable {
  /// A line is longer than the limit.
  case lineTooLong(limit: Int)
  /// The stream ended inside its header.
  case headerTruncated
  /// The stream ended inside frame `frame`, counted from 1.
  case frameTruncated(frame: Int, bytes: Int, needed: Int)
  /// The first word of the stream is not `YUV4MPEG2`.
  case wrongMagic
  /// A line does not begin with `FRAME`.
  case frameExpected(frame: Int)
  /// A tag of the header is missing.
  case missingTag(Character)
  /// A tag of the header has a value that makes no sense.
  case tag(String)
  /// A rate is outside the limits.
  case rate(String)
  /// The pixels are in a format that is not converted.
  case pixelFormat(String)
}

extension FrameSourceError: CustomStringConvertible {
  /// A sentence: the source, what is wrong, how to mend it.
  package var description: String { "\(source.isEmpty ? "an empty name" : source): \(reason)" }
}

extension FrameSourceError.Reason: CustomStringConvertible {
  /// A sentence without the source.
  package var description: String {
    switch self {
    case .system(let error): Self.mended(error)
    case .stopped: "reading was ended by the host before a frame came"
    case .empty: "there is not one byte; give a picture (JPEG, PNG) or a YUV4MPEG2 stream"
    case .unknownFormat(let bytes):
      """
      the first bytes (\(hexadecimalText(bytes))) are neither JPEG, PNG nor YUV4MPEG2; convert it: \
      ffmpeg -i INPUT -pix_fmt yuv420p -f yuv4mpegpipe OUTPUT.y4m
      """
    case .fileTooLarge(let limit): "the picture has more than \(limit) bytes; make it smaller"
    case .size(let error): "\(error); scale it down before it comes here"
    case .library(let fault): fault
    case .picture(let format, let message):
      "the \(format.rawValue) file is damaged or cut off: \(message); make the file anew"
    case .colours(let format, let name):
      "the \(format.rawValue) file has \(name) colours, which are not supported; convert it to sRGB"
    case .pattern(let fault): "\(fault)"
    case .stream(let fault, let byte): "at byte \(byte): \(fault)"
    case .camera(let fault): "\(fault)"
    }
  }

  /// What could not be opened or read, with what to do about it where that is known.
  private static func mended(_ error: SystemCallError) -> String {
    switch error.errno {
    case .noSuchFile, .notADirectory:
      "\(error); name a picture, a YUV4MPEG2 file or pipe, or a camera that 'darkroom camera list' shows"
    case .isADirectory: "\(error); name a picture or a YUV4MPEG2 file in it"
    case .permissionDenied: "\(error); let this user read it, or name another"
    default: "\(error)"
    }
  }
}

extension PatternFault: CustomStringConvertible {
  /// A sentence.
  package var description: String {
    switch self {
    case .syntax: "a pattern is written pattern, pattern:640x480 or pattern:640x480@30000/1001"
    case .rate: "the rate has to be between 1/3600 and 1000 frames a second"
    case .tooSmall(let width, let height): "the pattern needs at least \(width)x\(height) pixels"
    }
  }
}

extension Y4MFault: CustomStringConvertible {
  /// A sentence.
  package var description: String {
    switch self {
    case .lineTooLong(let limit): "a header line has more than \(limit) bytes; this is not a YUV4MPEG2 stream"
    case .headerTruncated: "the stream ends inside its header; was its writer ended too early?"
    case .frameTruncated(let frame, let bytes, let needed):
      "the stream ends inside frame \(frame), which has \(bytes) of \(needed) bytes; was its writer ended too early?"
    case .wrongMagic: "the stream does not begin with YUV4MPEG2; write it with ffmpeg -f yuv4mpegpipe"
    case .frameExpected(let frame):
      "FRAME is expected before frame \(frame), something else is there; the stream is damaged or its size is wrong"
    case .missingTag(let tag): "the header has no tag \(tag); write the stream with ffmpeg -f yuv4mpegpipe"
    case .tag(let text):
      "the header's tag \(text) makes no sense; write the stream with ffmpeg -f yuv4mpegpipe"
    case .rate(let text): "the rate \(text) is not between 1/3600 and 1000 frames a second; use ffmpeg -r"
    case .pixelFormat(let name):
      "the pixel format C\(name) is not supported; give ffmpeg the option -pix_fmt yuv420p"
    }
  }
}
