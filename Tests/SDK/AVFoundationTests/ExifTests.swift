// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CaptureImage

/// Exif metadata, which the test reads without code of the package.
struct ExifTests {
  /// The tags of a photo with a description, from both directories of its segment.
  private func tags(_ description: PhotoDescription) throws -> [Int: [UInt8]] {
    let segment = ExifSegment(description, width: 640, height: 480).bytes
    func number(_ offset: Int, _ count: Int) -> Int {
      segment[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(number(0, 2) == 0xFFE1 && number(2, 2) == segment.count - 2)
    #expect(Array(segment[4..<14]) == Array("Exif\0\0MM\0*".utf8))
    var tags: [Int: [UInt8]] = [:]
    var directories = [number(14, 4)]
    while let directory = directories.popLast() {
      var last = 0
      for index in 0..<number(10 + directory, 2) {
        let entry = 10 + directory + 2 + index * 12
        let (tag, type, count) = (number(entry, 2), number(entry + 2, 2), number(entry + 4, 4))
        #expect(tag > last, "the entries are sorted")
        last = tag
        let size = count * (type == 3 ? 2 : type == 4 ? 4 : 1)
        let start = size > 4 ? 10 + number(entry + 8, 4) : entry + 8
        tags[tag] = Array(segment[start..<start + size])
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
}
