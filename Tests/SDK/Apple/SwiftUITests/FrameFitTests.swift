// SPDX-License-Identifier: Apache-2.0

import QuartzCore
import SwiftUI
import Testing

@Suite struct FrameFitTests {
  private static let bounds = CGRect(x: 0, y: 0, width: 100, height: 100)
  private static let frame = CGSize(width: 200, height: 100)

  @Test func `fills the bounds as the gravity says`() {
    func content(_ gravity: FrameFit.Gravity) -> CGRect? {
      FrameFit(frame: Self.frame, in: Self.bounds, gravity)?.content
    }
    #expect(content(.aspect) == CGRect(x: 0, y: 25, width: 100, height: 50))
    #expect(content(.aspectFill) == CGRect(x: -50, y: 0, width: 200, height: 100))
    #expect(content(.stretch) == Self.bounds)
    #expect(FrameFit(frame: Self.frame, in: .zero, .aspect) == nil)
  }

  @Test func `shows the upper left corner of a rotated or mirrored frame where Apple documents it`() {
    func corner(_ turns: Int, _ isMirrored: Bool) -> CGPoint? {
      FrameFit(frame: Self.frame, in: Self.bounds, .stretch, quarterTurns: turns, isMirrored: isMirrored)?
        .point(ofFramePoint: .zero)
    }
    #expect(corner(0, false) == CGPoint(x: 0, y: 0))
    #expect(corner(1, false) == CGPoint(x: 100, y: 0))
    #expect(corner(2, false) == CGPoint(x: 100, y: 100))
    #expect(corner(3, false) == CGPoint(x: 0, y: 100))
    #expect(corner(0, true) == CGPoint(x: 100, y: 0))
    #expect(corner(1, true) == CGPoint(x: 0, y: 0))
  }

  @Test(arguments: 0..<4, [false, true])
  func `converts points in both directions`(turns: Int, isMirrored: Bool) throws {
    let fit = try #require(
      FrameFit(frame: Self.frame, in: Self.bounds, .aspectFill, quarterTurns: turns, isMirrored: isMirrored)
    )
    let point = fit.point(ofFramePoint: fit.framePoint(at: CGPoint(x: 30, y: 60)))
    #expect(abs(point.x - 30) < 1e-9 && abs(point.y - 60) < 1e-9)
  }
}
