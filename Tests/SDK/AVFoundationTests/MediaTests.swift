// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import Testing

/// Times and pixels of Core Media and Core Video.
struct MediaTests {
  @Test func `adds and compares times of different timescales exactly`() {
    let third = CMTime(value: 1, timescale: 3)
    #expect(CMTime(value: 2, timescale: 6) == third && CMTime(value: 333, timescale: 1000) < third)
    #expect(
      CMTime(value: 1, timescale: 30) + CMTime(value: 1, timescale: 600) == CMTime(value: 21, timescale: 600)
    )
    #expect(CMTimeCompare(.positiveInfinity, CMTime(value: .max, timescale: 1)) == 1)
    #expect(!(CMTime.zero + .invalid).isValid && (CMTime.zero + .positiveInfinity) == .positiveInfinity)
    #expect(CMTime(seconds: 0.5, preferredTimescale: 600).value == 300)
    #expect(CMTime(seconds: .nan, preferredTimescale: 600) == .invalid)
  }

  @Test func `treats a time with a timescale of 0 or below as no number`() {
    for timescale in [Int32(0), -1, .min] {
      var time = CMTime(value: .min, timescale: 600)
      time.timescale = timescale
      #expect(!time.isNumeric && time.seconds.isNaN)
      #expect(!time.convertScale(600).isValid && !(time + CMTime(value: 1, timescale: 1)).isNumeric)
      #expect(time == time && time != CMTime(value: 1, timescale: 1) && CMTimeCompare(time, .zero) == 0)
    }
    #expect(!CMTime(value: 1, timescale: 1).convertScale(0).isValid)
  }

  /// Returns a planar buffer of 3 by 3 pixels in one color.
  private func buffer(luma: UInt8, blue: UInt8, red: UInt8) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    #expect(CVPixelBufferCreate(nil, 3, 3, kCVPixelFormatType_420YpCbCr8PlanarFullRange, nil, &buffer) == 0)
    let pixels = try #require(buffer)
    for (plane, value) in [luma, blue, red].enumerated() {
      let base = try #require(CVPixelBufferGetBaseAddressOfPlane(pixels, plane))
      let count =
        CVPixelBufferGetBytesPerRowOfPlane(pixels, plane) * CVPixelBufferGetHeightOfPlane(pixels, plane)
      base.initializeMemory(as: UInt8.self, repeating: value, count: count)
    }
    return pixels
  }

  /// The colors of JFIF, with a tolerance of one step for rounding.
  @Test(
    arguments: [
      ((76, 85, 255), [0, 0, 254]), ((150, 44, 21), [1, 255, 0]), ((29, 255, 107), [255, 0, 0]),
      ((128, 128, 128), [128, 128, 128]),
    ] as [((UInt8, UInt8, UInt8), [Int])]
  )
  func `converts colors to BGRA in each pixel of an odd size`(yuv: (UInt8, UInt8, UInt8), bgr: [Int])
    throws
  {
    let pixels = try #require(try buffer(luma: yuv.0, blue: yuv.1, red: yuv.2).converted(to: .bgra))
    let base = try #require(CVPixelBufferGetBaseAddress(pixels))
    for (row, column) in [(0, 0), (1, 1), (2, 2)] {
      let offset = row * CVPixelBufferGetBytesPerRow(pixels) + column * 4
      let found = (0..<4).map { Int(base.load(fromByteOffset: offset + $0, as: UInt8.self)) }
      #expect(zip(found, bgr).allSatisfy { abs($0 - $1) <= 1 } && found[3] == 255, "\(found)")
    }
  }

  @Test func `interleaves chroma for the biplanar format`() throws {
    let pixels = try #require(try buffer(luma: 7, blue: 8, red: 9).converted(to: .biplanar420FullRange))
    #expect(CVPixelBufferGetPlaneCount(pixels) == 2)
    let luma = try #require(CVPixelBufferGetBaseAddressOfPlane(pixels, 0))
    let chroma = try #require(CVPixelBufferGetBaseAddressOfPlane(pixels, 1))
    #expect(luma.load(fromByteOffset: 2, as: UInt8.self) == 7)
    #expect((0..<4).map { chroma.load(fromByteOffset: $0, as: UInt8.self) } == [8, 9, 8, 9])
  }

  @Test func `rejects unknown pixel formats and sizes`() {
    var buffer: CVPixelBuffer?
    #expect(CVPixelBufferCreate(nil, 0, 3, kCVPixelFormatType_32BGRA, nil, &buffer) == kCVReturnInvalidSize)
    #expect(CVPixelBufferCreate(nil, 3, 3, 1, nil, &buffer) == kCVReturnInvalidPixelFormat)
    #expect(buffer == nil)
  }
}

/// The sequence of notifications.
struct NotificationSequenceTests {
  @Test func `returns the notifications of an object in order, from its creation on`() async {
    let (center, object, other) = (NotificationCenter(), Sender(), Sender())
    let name = Notification.Name("test")
    let sequence = center.notifications(named: name, object: object)
    for (sender, number) in [(object, 1), (other, 2), (object, 3)] {
      center.post(name: name, object: sender, userInfo: ["number": number])
    }
    var numbers: [Int] = []
    for await notification in sequence {
      numbers.append(notification.userInfo?["number"] as? Int ?? 0)
      if numbers.count == 2 { break }
    }
    #expect(numbers == [1, 3])
  }
}

/// An object that posts notifications.
private final class Sender: Sendable {}
