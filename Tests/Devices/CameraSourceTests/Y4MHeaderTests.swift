// SPDX-License-Identifier: Apache-2.0

import CameraSource
import Testing

@Suite struct Y4MHeaderTests {
  /// Parses a header line without its line feed.
  func header(_ line: String) throws(Y4MFault) -> Y4MHeader { try Y4MHeader(parsing: Array(line.utf8)) }

  @Test func `parses the tags of a stream header in any order`() throws {
    let header = try header(
      "YUV4MPEG2 F30000:1001 H48 W64 Ip A128:117 C420paldv XYSCSS=420PALDV XCOLORRANGE=FULL"
    )
    let rate = try #require(FrameRate(30000, 1001))
    #expect(header.geometry == FrameGeometry(width: 64, height: 48, frameRate: rate, range: .full))
    #expect(header.sampling == .yuv420)
  }

  @Test func `uses the default frame rate, range and sampling if the header omits them`() throws {
    let header = try header("YUV4MPEG2 W1 H1")
    #expect(header.geometry == FrameGeometry(width: 1, height: 1, frameRate: .standard, range: .limited))
    #expect(header.sampling == .yuv420)
  }

  @Test(arguments: [
    ("420", Y4MHeader.Sampling.yuv420), ("420jpeg", .yuv420), ("420mpeg2", .yuv420), ("422", .yuv422),
    ("444", .yuv444), ("mono", .mono),
  ])
  func `parses each supported pixel format`(tag: String, sampling: Y4MHeader.Sampling) throws {
    #expect(try header("YUV4MPEG2 W2 H2 C\(tag)").sampling == sampling)
  }

  @Test(arguments: ["420p10", "422p10", "444p16", "444alpha", "411", "mono16", ""])
  func `rejects unsupported pixel formats and suggests the ffmpeg option`(tag: String) {
    let fault = #expect(throws: Y4MFault.self) { try header("YUV4MPEG2 W2 H2 C\(tag)") }
    #expect(fault == .pixelFormat(tag))
    #expect(fault?.description.contains("-pix_fmt yuv420p") == true)
  }

  @Test(arguments: [
    ("YUV4MPEG W2 H2", Y4MFault.wrongMagic), ("", .wrongMagic), ("YUV4MPEG2 H2", .missingTag("W")),
    ("YUV4MPEG2 W2", .missingTag("H")), ("YUV4MPEG2 W0 H2", .tag("W0")), ("YUV4MPEG2 W-2 H2", .tag("W-2")),
    ("YUV4MPEG2 W2x H2", .tag("W2x")), ("YUV4MPEG2 W H2", .tag("W")),
    ("YUV4MPEG2 W99999999999999999999 H2", .tag("W99999999999999999999")),
    ("YUV4MPEG2 W2 H2 F25", .tag("F25")), ("YUV4MPEG2 W2 H2 F25:1:1", .tag("F25:1:1")),
    ("YUV4MPEG2 W2 H2 F25:0", .rate("25:0")), ("YUV4MPEG2 W2 H2 F0:1", .rate("0:1")),
    ("YUV4MPEG2 W2 H2 F1001:1", .rate("1001:1")), ("YUV4MPEG2 W2 H2 F1:3601", .rate("1:3601")),
    ("YUV4MPEG2 W2 H2 Iz", .tag("Iz")), ("YUV4MPEG2 W2 H2 A1", .tag("A1")), ("YUV4MPEG2 W2 H2 Q", .tag("Q")),
    ("YUV4MPEG2 W2 H2 Q\u{1B}[31m\u{7}", .tag("Q?[31m?")),
  ])
  func `reports each error of a stream header`(line: String, expected: Y4MFault) {
    #expect(throws: expected) { try header(line) }
    #expect(!expected.description.isEmpty)
  }

  @Test func `uses the default frame rate if the stream rate is unknown`() throws {
    #expect(try header("YUV4MPEG2 W2 H2 F0:0").geometry.frameRate == .standard)
  }

  @Test func `parses the header line that it writes`() throws {
    let rate = try #require(FrameRate(24000, 1001))
    for range in [ColorRange.full, .limited] {
      let written = Y4MHeader(geometry: FrameGeometry(width: 641, height: 3, frameRate: rate, range: range))
      #expect(written.line.hasSuffix("\n"))
      #expect(try header(String(written.line.dropLast())) == written)
    }
  }
}
