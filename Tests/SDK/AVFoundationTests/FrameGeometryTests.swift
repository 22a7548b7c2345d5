// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AVFoundation

/// The rotation and the mirroring of photos and movies.
struct FrameGeometryTests {
  /// The corner to which the top left corner of a frame moves, and the Exif orientation of that.
  @Test(arguments: [
    (0, false, (0, 0), 1), (1, false, (3, 0), 6), (2, false, (4, 3), 3), (3, false, (0, 4), 8),
    (0, true, (4, 0), 2), (1, true, (0, 0), 5), (2, true, (0, 3), 4), (3, true, (3, 4), 7),
  ])
  func `rotates clockwise and then mirrors, in the same way in movies and in Exif`(
    turns: Int,
    isMirrored: Bool,
    corner: (x: Int, y: Int),
    orientation: Int
  ) {
    let geometry = FrameGeometry(quarterTurns: turns, isMirrored: isMirrored)
    #expect(geometry.exifOrientation == orientation)
    let matrix = MovieAtom.matrix(geometry, width: 4, height: 3)
    let numbers = (0..<9).map { index in
      matrix[index * 4..<index * 4 + 4].reduce(Int32(0)) { $0 << 8 | Int32($1) } >> 16
    }
    // The last row of the matrix is where the origin moves to.
    #expect(numbers[6] == corner.x && numbers[7] == corner.y)
  }
}
