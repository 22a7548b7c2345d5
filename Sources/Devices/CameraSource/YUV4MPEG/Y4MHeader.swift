// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The header line of a YUV4MPEG2 stream (yuv4mpeg(5)).
package struct Y4MHeader: Equatable, Sendable {
  /// The first token of a stream.
  package static let magic = "YUV4MPEG2"
  /// The maximum length of a line, in bytes.
  package static let lineLimit = 1024
  /// The marker before each frame.
  package static let frameMarker = "FRAME"

  /// The chroma subsampling of the stream.
  package enum Sampling: Equatable, Sendable {
    /// One sample per four pixels, as in the ring.
    case yuv420
    /// One sample per two pixels of a row.
    case yuv422
    /// One sample per pixel.
    case yuv444
    /// No chroma.
    case mono

    /// Returns the number of chroma rows of a frame, and the samples in each.
    func chroma(width: Int, height: Int) -> (rowBytes: Int, rows: Int) {
      switch self {
      case .yuv420: ((width + 1) / 2, (height + 1) / 2)
      case .yuv422: ((width + 1) / 2, height)
      case .yuv444: (width, height)
      case .mono: (0, 0)
      }
    }
  }

  /// The size, rate and range of the frames.
  package var geometry: FrameGeometry
  /// The chroma subsampling.
  package var sampling: Sampling

  /// Creates a header from its parts.
  package init(geometry: FrameGeometry, sampling: Sampling = .yuv420) {
    self.geometry = geometry
    self.sampling = sampling
  }

  /// The header line of a stream of I420 frames, with its newline.
  package var line: String {
    let rate = geometry.frameRate
    return """
      \(Self.magic) W\(geometry.width) H\(geometry.height) F\(rate.numerator):\(rate.denominator) Ip A1:1 C420jpeg \
      XCOLORRANGE=\(geometry.range.rawValue.uppercased())\n
      """
  }
}

extension Y4MHeader {
  /// Parses a header line without its newline.
  package init(parsing line: [UInt8]) throws(Y4MFault) {
    let words = line.split(separator: 32).map { String(decoding: $0, as: UTF8.self) }
    guard words.first == Self.magic else { throw .wrongMagic }
    var tags = Tags()
    for word in words.dropFirst() { try tags.add(word) }
    guard let width = tags.width else { throw .missingTag("W") }
    guard let height = tags.height else { throw .missingTag("H") }
    sampling = tags.sampling
    geometry = FrameGeometry(width: width, height: height, frameRate: tags.frameRate, range: tags.range)
  }

  /// The tags that were parsed so far.
  private struct Tags {
    /// The width in pixels.
    var width: Int?
    /// The height in pixels.
    var height: Int?
    /// The frame rate, 30 if the stream does not specify one.
    var frameRate = FrameRate.standard
    /// The chroma subsampling.
    var sampling = Sampling.yuv420
    /// The color range; limited unless the stream specifies another.
    var range = ColorRange.limited

    /// Parses one tag.
    mutating func add(_ word: String) throws(Y4MFault) {
      let value = word.dropFirst()
      switch word.first {
      case "W": width = try size(value, word)
      case "H": height = try size(value, word)
      case "F": frameRate = try rate(value, word)
      case "C": sampling = try Self.sampling(value)
      case "X" where value == "COLORRANGE=FULL": range = .full
      case "X" where value == "COLORRANGE=LIMITED": range = .limited
      case "I": try require(["?", "p", "t", "b", "m"].contains(String(value)), word)
      case "A": _ = try ratio(value, word)
      case "X": break
      default: throw .tag(Self.sanitized(word))
      }
    }

    /// Returns the part of a tag that an error shows, sanitized and shortened, because a stream is untrusted.
    private static func sanitized(_ word: String) -> String {
      String(word.prefix(40).map { $0.isASCII && !$0.isNewline && $0.asciiValue ?? 0 >= 32 ? $0 : "?" })
    }

    /// Throws unless the condition holds.
    private func require(_ holds: Bool, _ word: String) throws(Y4MFault) {
      if !holds { throw .tag(Self.sanitized(word)) }
    }

    /// Parses a positive number of pixels.
    private func size(_ value: Substring, _ word: String) throws(Y4MFault) -> Int {
      guard let number = Self.number(value), number > 0 else { throw .tag(Self.sanitized(word)) }
      return number
    }

    /// Parses a number of at most ten digits without a sign.
    private static func number(_ text: Substring) -> Int? {
      text.count <= 10 && text.allSatisfy { ("0"..."9").contains($0) } ? Int(text) : nil
    }

    /// Parses two numbers with a colon between them.
    private func ratio(_ value: Substring, _ word: String) throws(Y4MFault) -> (Int, Int) {
      let parts = value.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let top = Self.number(parts[0]), let bottom = Self.number(parts[1]) else {
        throw .tag(Self.sanitized(word))
      }
      return (top, bottom)
    }

    /// Parses a frame rate. `0:0` means that it is unknown.
    private func rate(_ value: Substring, _ word: String) throws(Y4MFault) -> FrameRate {
      let (top, bottom) = try ratio(value, word)
      if top == 0 && bottom == 0 { return .standard }
      guard let rate = FrameRate(top, bottom) else { throw .rate(Self.sanitized(String(value))) }
      return rate
    }

    /// Parses the chroma subsampling.
    private static func sampling(_ value: Substring) throws(Y4MFault) -> Sampling {
      switch value {
      case "420", "420jpeg", "420mpeg2", "420paldv": .yuv420
      case "422": .yuv422
      case "444": .yuv444
      case "mono": .mono
      default: throw .pixelFormat(sanitized(String(value)))
      }
    }
  }
}
