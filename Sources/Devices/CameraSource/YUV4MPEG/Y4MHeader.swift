// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The first line of a YUV4MPEG2 stream (yuv4mpeg(5)).
package struct Y4MHeader: Equatable, Sendable {
  /// The first word of a stream.
  package static let magic = "YUV4MPEG2"
  /// The most bytes that a line may have.
  package static let lineLimit = 1024
  /// What stands before each frame.
  package static let frameLine = "FRAME"

  /// How chroma is sampled in the stream.
  package enum Sampling: Equatable, Sendable {
    /// One sample for four pixels; the ring's own.
    case yuv420
    /// One sample for two pixels of a row.
    case yuv422
    /// One sample for each pixel.
    case yuv444
    /// No chroma.
    case mono

    /// The rows of chroma, and the samples in each, of a frame.
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
  /// How chroma is sampled.
  package var sampling: Sampling

  /// Describes a stream.
  package init(geometry: FrameGeometry, sampling: Sampling = .yuv420) {
    self.geometry = geometry
    self.sampling = sampling
  }

  /// The line that begins a stream of I420 frames, with its newline.
  package var line: String {
    let rate = geometry.frameRate
    return """
      \(Self.magic) W\(geometry.width) H\(geometry.height) F\(rate.numerator):\(rate.denominator) Ip A1:1 C420jpeg \
      XCOLORRANGE=\(geometry.range.rawValue.uppercased())\n
      """
  }
}

extension Y4MHeader {
  /// Reads the first line, without its newline.
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

  /// The tags that were read so far.
  private struct Tags {
    /// Pixels in a row.
    var width: Int?
    /// Rows.
    var height: Int?
    /// Frames a second, thirty if the stream does not say.
    var frameRate = FrameRate.standard
    /// How chroma is sampled.
    var sampling = Sampling.yuv420
    /// Video has the limited range unless it says otherwise.
    var range = ColorRange.limited

    /// Reads one tag.
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
      default: throw .tag(Self.shown(word))
      }
    }

    /// The part of a tag that an error shows; no more, because anybody can have written it.
    private static func shown(_ word: String) -> String {
      String(word.prefix(40).map { $0.isASCII && !$0.isNewline && $0.asciiValue ?? 0 >= 32 ? $0 : "?" })
    }

    /// Throws unless the condition holds.
    private func require(_ holds: Bool, _ word: String) throws(Y4MFault) {
      if !holds { throw .tag(Self.shown(word)) }
    }

    /// A number of pixels.
    private func size(_ value: Substring, _ word: String) throws(Y4MFault) -> Int {
      guard let number = Self.number(value), number > 0 else { throw .tag(Self.shown(word)) }
      return number
    }

    /// A number of at most nine digits and no sign.
    private static func number(_ text: Substring) -> Int? {
      text.count <= 10 && text.allSatisfy { ("0"..."9").contains($0) } ? Int(text) : nil
    }

    /// Two numbers with a colon.
    private func ratio(_ value: Substring, _ word: String) throws(Y4MFault) -> (Int, Int) {
      let parts = value.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let top = Self.number(parts[0]), let bottom = Self.number(parts[1]) else {
        throw .tag(Self.shown(word))
      }
      return (top, bottom)
    }

    /// Frames a second; 0:0 means that they are not known.
    private func rate(_ value: Substring, _ word: String) throws(Y4MFault) -> FrameRate {
      let (top, bottom) = try ratio(value, word)
      if top == 0 && bottom == 0 { return .standard }
      guard let rate = FrameRate(top, bottom) else { throw .rate(Self.shown(String(value))) }
      return rate
    }

    /// How chroma is sampled.
    private static func sampling(_ value: Substring) throws(Y4MFault) -> Sampling {
      switch value {
      case "420", "420jpeg", "420mpeg2", "420paldv": .yuv420
      case "422": .yuv422
      case "444": .yuv444
      case "mono": .mono
      default: throw .pixelFormat(shown(String(value)))
      }
    }
  }
}
