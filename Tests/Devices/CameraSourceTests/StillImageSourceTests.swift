// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import TestSupport
import Testing

@Suite(.enabled(if: ExternalProgram.hasFFmpeg && ExternalProgram.hasImageMagick), .waiting)
struct StillImageSourceTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Creates a smooth image in many colors.
  func picture(_ name: String, size: String = "320x240", _ options: String = "") throws -> String {
    let path = directory.file(name)
    try ExternalProgram.output(
      "convert -size \(size) -seed 7 plasma:fractal -blur 0x4 \(options) '\(path)'"
    )
    return path
  }

  /// Returns the first frame of a file.
  func frame(_ path: String) throws -> TestSlot {
    let source = try open(path)
    let slot = try TestSlot(source.geometry)
    #expect(try source.next(into: slot.bytes, layout: slot.layout, stop: StopSignal()) == .frame)
    return slot
  }

  /// Compares the first frame with the frame that ffmpeg decodes from the same file.
  func expectAgreement(_ path: String, mean: Double) throws {
    let slot = try frame(path)
    let oracle = try ExternalProgram.planes(of: path, pixelFormat: "yuvj420p")
    let found = difference(slot.pixels, oracle)
    #expect(found.mean <= mean, "\(path): mean \(found.mean), largest \(found.largest)")
  }

  @Test func `copies an image to each slot once, and again after an erase`() throws {
    let source = try open(picture("a.jpg"))
    let slots = try (0..<2).map { _ in try TestSlot(source.geometry) }
    for slot in slots { _ = try source.next(into: slot.bytes, layout: slot.layout, stop: StopSignal()) }
    #expect(slots[0].pixels == slots[1].pixels)
    let whole = slots[0].pixels
    // The modified byte survives only if the source does not copy the image again.
    slots[0].bytes[slots[0].layout.planes[0].offset] ^= 0xFF
    _ = try source.next(into: slots[0].bytes, layout: slots[0].layout, stop: StopSignal())
    #expect(slots[0].pixels != whole)
    source.slotsWereErased()
    _ = try source.next(into: slots[0].bytes, layout: slots[0].layout, stop: StopSignal())
    #expect(slots[0].pixels == whole)
  }

  @Test(arguments: ["320x240", "321x241", "17x33", "1x1"])
  func `decodes JPEG files with YUV420 sampling as ffmpeg does`(size: String) throws {
    try expectAgreement(picture("a.jpg", size: size, "-quality 92 -sampling-factor 4:2:0"), mean: 0.6)
  }

  @Test(arguments: ["4:4:4", "4:2:2", "4:4:0"])
  func `decodes JPEG files with other chroma subsampling as ffmpeg does`(sampling: String) throws {
    try expectAgreement(picture("a.jpg", "-quality 95 -sampling-factor \(sampling)"), mean: 1.5)
  }

  @Test func `decodes progressive JPEG files as ffmpeg does`() throws {
    try expectAgreement(picture("a.jpg", "-interlace JPEG -sampling-factor 4:2:0"), mean: 0.6)
  }

  @Test func `decodes a grayscale JPEG file with neutral chroma`() throws {
    let slot = try frame(picture("a.jpg", "-colorspace Gray"))
    #expect(slot.planes[1].allSatisfy { $0 == 128 } && slot.planes[2].allSatisfy { $0 == 128 })
    #expect(Set(slot.planes[0]).count > 10)
  }

  @Test(arguments: ["320x240", "321x241"])
  func `decodes PNG files as ffmpeg does`(size: String) throws {
    try expectAgreement(picture("a.png", size: size), mean: 1.5)
  }

  @Test(arguments: ["-colors 16 PNG8:", "-depth 16 PNG48:", "-colorspace Gray PNG:"])
  func `decodes palette, 16-bit and grayscale PNG files as ffmpeg does`(kind: String) throws {
    let plain = try picture("plain.png")
    let path = directory.file("b.png")
    try ExternalProgram.output("convert '\(plain)' \(kind)'\(path)'")
    try expectAgreement(path, mean: 1.5)
  }

  @Test func `composites transparent PNG pixels onto white`() throws {
    let path = directory.file("a.png")
    try ExternalProgram.output("convert -size 32x32 xc:'rgba(255,0,0,0)' PNG32:'\(path)'")
    let slot = try frame(path)
    #expect(slot.planes[0].allSatisfy { $0 >= 254 } && slot.planes[1].allSatisfy { abs(Int($0) - 128) <= 1 })
  }

  @Test func `delivers the same image for each frame, including into planes with padding`() throws {
    let source = try open(picture("a.jpg", size: "51x37"))
    let packed = try TestSlot(source.geometry)
    let spread = TestSlot(try paddedLayout(packed.layout))
    for slot in [packed, spread, spread] {
      #expect(try source.next(into: slot.bytes, layout: slot.layout, stop: StopSignal()) == .frame)
      #expect(slot.pixels == packed.pixels)
    }
    let gap = spread.layout.planes[0].offset + spread.layout.planes[0].rowBytes
    #expect(spread.bytes[gap] == 0xA5)
    #expect(source.geometry.range == .full && source.geometry.frameRate == .standard)
  }

  @Test(arguments: ["a.jpg", "a.png"], [3, 40, 55, 90])
  func `rejects a truncated image with the file name and the reason`(name: String, percent: Int) throws {
    let whole = try #require(try FileSystem.contents(picture(name)))
    let path = try directory.write("cut-\(name)", Array(whole.prefix(whole.count * percent / 100)))
    let error = try #require(try failure { try open(path) })
    let format = name == "a.jpg" ? ImageFormat.jpeg : .png
    guard case .undecodable(format, let message) = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(
      !message.isEmpty && error.description.hasPrefix("\(path): the \(format.rawValue) file is damaged")
    )
  }

  @Test(arguments: [[0xFF, 0xD8, 0xFF] as [UInt8], [0xFF, 0xD8, 0xFF, 0xD9]])
  func `rejects a JPEG file without image data as damaged, not as too large`(bytes: [UInt8]) throws {
    let path = try directory.write("none.jpg", bytes)
    let error = try failure { try FrameSourceOpener.open(path, stop: StopSignal()) }
    // libjpeg-turbo 2 reports no error for such a file, libjpeg-turbo 3 the first one that it encounters.
    let messages = [
      "it contains no image", "tjDecompressHeader3(): Could not determine subsampling level of JPEG image",
    ]
    #expect(
      messages.contains { error?.reason == .undecodable(format: .jpeg, message: $0) },
      "\(String(describing: error))"
    )
  }

  @Test func `rejects a PNG file with a wrong checksum`() throws {
    var bytes = try #require(try FileSystem.contents(picture("a.png")))
    bytes[bytes.count / 2] ^= 0x55
    let path = try directory.write("b.png", bytes)
    guard case .undecodable(.png, _)? = try failure({ try open(path) })?.reason else {
      Issue.record("a damaged picture was accepted")
      return
    }
  }

  @Test func `rejects CMYK JPEG files and suggests a conversion to sRGB`() throws {
    let error = try failure { try open(picture("a.jpg", "-colorspace CMYK")) }
    #expect(error?.reason == .unsupportedColor(format: .jpeg, "CMYK"))
    #expect(error?.description.hasSuffix("which are not supported; convert it to sRGB") == true)
  }

  @Test func `accepts extra bytes before the end of a JPEG file, which cameras write`() throws {
    let bytes = try #require(try FileSystem.contents(picture("a.jpg", "-sampling-factor 4:2:0")))
    let path = try directory.write("b.jpg", bytes.dropLast(2) + [1, 2, 3] + bytes.suffix(2))
    #expect(try frame(path).pixels == frame(directory.file("a.jpg")).pixels)
  }

  @Test func `rejects oversized images before memory is allocated`() throws {
    let chunk: [UInt8] = [0x49, 0x48, 0x44, 0x52, 0, 0, 0x40, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]
    let checksum = crc32(chunk)
    let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + chunk + checksum
    let data: [UInt8] = [0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54, 0x35, 0xAF, 0x06, 0x1E]
    let error = try failure { try stream(header + data) }
    #expect(error?.reason == .size(.field(name: "width", value: 16385, expected: "1 to 16384")))
    #expect(error?.description.contains("scale the frames down") == true)
  }
}

/// Returns the checksum of a PNG chunk in big-endian order.
private func crc32(_ bytes: [UInt8]) -> [UInt8] {
  var sum: UInt32 = 0xFFFF_FFFF
  for byte in bytes {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
  }
  return withUnsafeBytes(of: (~sum).bigEndian) { Array($0) }
}
