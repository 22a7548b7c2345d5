// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import Testing

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct UIImageTests {
  /// A PNG file with two pixels: white and transparent.
  private static let file = [UInt8](
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAADklEQVR42mP4DwQMQAAAGe8D/XGg2n4AAAAASUVORK5CYII="
    ) ?? Data()
  )

  @Test func `keeps all pixels in a PNG file, and the opaque ones in a JPEG file`() throws {
    let image = try #require(UIImage(data: Data(Self.file)))
    #expect(image.size == CGSize(width: 2, height: 1))
    let copy = try #require(image.pngData().flatMap { UIImage(data: $0, scale: 2) })
    #expect(copy.size == CGSize(width: 1, height: 0.5))
    #expect(copy.pixels == image.pixels)
    let photo = try #require(image.jpegData(compressionQuality: 1).flatMap { UIImage(data: $0) })
    #expect(photo.pixels.components[0] > 250 && photo.pixels.components[3] == 255)
  }

  @Test(arguments: [0, 1, 20, 40]) func `refuses a part of a file`(count: Int) {
    #expect(UIImage(data: Data(Self.file.prefix(count))) == nil)
  }

  @Test func `draws an image in memory`() throws {
    let image = try #require(UIImage(data: Data(Self.file)))
    let rig = try ViewRig(Image(uiImage: image).resizable().frame(width: 100, height: 50))
    #expect(rig.luma(345, 195) == 255)
    #expect(rig.luma(435, 195) == 0)
  }
}
