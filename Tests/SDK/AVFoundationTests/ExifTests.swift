// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CaptureImage

/// Exif metadata, which the test reads without code of the package.
struct ExifTests {
  /// The tags of a photo with a description, from both directories of its segment.
  private func tags(_ description: PhotoDescription) throws -> [Int: [UInt8]] {
    let segment = ExifSegment(description, width: 640, height: 480).bytes
    #expect(segment[..<2] == [0xFF, 0xE1] && Int(segment[2]) << 8 | Int(segment[3]) == segment.count - 2)
    #expect(Array(segment[4..<10]) == Array("Exif\0\0".utf8))
    return Self.tags(ofTIFF: Array(segment[10...]))
  }

  /// Returns the tags of a TIFF file in big-endian byte order, from the directory of the image and that of Exif.
  private static func tags(ofTIFF file: [UInt8]) -> [Int: [UInt8]] {
    func number(_ offset: Int, _ count: Int) -> Int {
      file[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(Array(file[..<4]) == Array("MM\0*".utf8))
    var tags: [Int: [UInt8]] = [:]
    var directories = [number(4, 4)]
    while let directory = directories.popLast() {
      var last = 0
      for index in 0..<number(directory, 2) {
        let entry = directory + 2 + index * 12
        let (tag, type, count) = (number(entry, 2), number(entry + 2, 2), number(entry + 4, 4))
        #expect(tag > last, "the entries are sorted")
        last = tag
        let size = count * ([3: 2, 4: 4, 5: 8][type] ?? 1)
        let start = size > 4 ? number(entry + 8, 4) : entry + 8
        tags[tag] = Array(file[start..<start + size])
        if tag == 0x8769 { directories.append(number(entry + 8, 4)) }
      }
    }
    return tags
  }

  @Test func `contains the size, the orientation, the camera and the capture time in UTC`() throws {
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    let tags = try tags(PhotoDescription(orientation: 6, date: date, camera: "Café 2"))
    #expect(tags[0x0112] == [0, 6])
    #expect(tags[0x0110] == Array("Caf? 2\0".utf8))
    #expect(tags[0x9003] == Array("2001:09:09 01:46:40\0".utf8) && tags[0x0132] == tags[0x9003])
    #expect(tags[0x9011] == Array("+00:00\0".utf8))
    #expect(tags[0xA002] == [0, 0, 2, 128] && tags[0xA003] == [0, 0, 1, 224])
  }

  @Test func `leaves out unknown values, and corrects an invalid orientation`() throws {
    let tags = try tags(PhotoDescription(orientation: 9))
    #expect(tags[0x0112] == [0, 1])
    #expect(tags[0x0110] == nil && tags[0x9003] == nil && tags[0x9011] == nil)
  }

  @Test(arguments: [(true, [0, 1]), (false, [0, 0]), (nil, nil)] as [(Bool?, [UInt8]?)])
  func `contains whether the flash was lit if that is known`(isFlashFired: Bool?, value: [UInt8]?) throws {
    var description = PhotoDescription()
    description.isFlashFired = isFlashFired
    #expect(try tags(description)[0x9209] == value)
  }

  @Test func `writes the colors of a TIFF file without compression, with the same metadata`() throws {
    let colors = [UInt8](10..<28)
    var pixels: [UInt8] = []
    for start in stride(from: 0, to: 18, by: 3) { pixels += colors[start..<start + 3] + [255] }
    let description = PhotoDescription(orientation: 8, date: Date(timeIntervalSince1970: 0), camera: "Camera")
    let file = TIFFFile(description, width: 3, height: 2, colors: pixels).bytes
    let tags = Self.tags(ofTIFF: file)
    #expect(tags[0x0100] == [0, 0, 0, 3] && tags[0x0101] == [0, 0, 0, 2] && tags[0x0116] == [0, 0, 0, 2])
    #expect(tags[0x0102] == [0, 8, 0, 8, 0, 8] && tags[0x0103] == [0, 1] && tags[0x0106] == [0, 2])
    #expect(
      tags[0x0115] == [0, 3] && tags[0x011A] == [0, 0, 0, 72, 0, 0, 0, 1] && tags[0x011B] == tags[0x011A]
    )
    #expect(
      tags[0x0112] == [0, 8] && tags[0x0110] == Array("Camera\0".utf8) && tags[0xA002] == [0, 0, 0, 3]
    )
    let start = try #require(tags[0x0111]).reduce(0) { $0 << 8 | Int($1) }
    #expect(tags[0x0117] == [0, 0, 0, 18])
    #expect(start.isMultiple(of: 2) && file.count == start + 18)
    #expect(Array(file[start...]) == colors)
  }
}
