// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import Testing

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct LayoutTests {
  /// Returns the frame of the white pixels of a view.
  private func whiteArea(_ view: some View) throws -> CGRect? { try ViewRig(view).brightArea() }

  @Test func `fills the viewfinder with a color, and centers smaller views`() throws {
    #expect(try whiteArea(Color.white) == CGRect(x: 0, y: 0, width: 780, height: 390))
    let square = Color.white.frame(width: 40, height: 20)
    #expect(try whiteArea(square) == CGRect(x: 370, y: 185, width: 40, height: 20))
  }

  @Test(arguments: [
    (Alignment.topLeading, CGRect(x: 0, y: 0, width: 40, height: 20)),
    (.bottomTrailing, CGRect(x: 740, y: 370, width: 40, height: 20)),
    (.leading, CGRect(x: 0, y: 185, width: 40, height: 20)),
  ])
  func `aligns a view in a frame that fills the space`(alignment: Alignment, expected: CGRect) throws {
    let view = Color.white.frame(width: 40, height: 20)
      .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: alignment)
    #expect(try whiteArea(view) == expected)
  }

  @Test func `gives a spacer the rest of a stack`() throws {
    let row = HStack(spacing: 0) {
      Color.black.frame(width: 100)
      Spacer()
      Color.white.frame(width: 30, height: 10)
    }
    #expect(try whiteArea(row) == CGRect(x: 750, y: 190, width: 30, height: 10))
    let column = VStack(spacing: 0) {
      Spacer()
      Color.white.frame(width: 30, height: 10)
      Color.black.frame(height: 50)
    }
    #expect(try whiteArea(column) == CGRect(x: 375, y: 330, width: 30, height: 10))
  }

  @Test func `divides a stack evenly between flexible views, after the spacing and the fixed views`() throws {
    let row = HStack(spacing: 10) {
      Color.black.frame(width: 160)
      Color.white
      Color.black
    }
    // 780 points without two gaps of 10 and 160 fixed points leave 300 points for each color.
    #expect(try whiteArea(row) == CGRect(x: 170, y: 0, width: 300, height: 390))
  }

  @Test func `adds padding around a view and a background behind it`() throws {
    let view = Color.black.frame(width: 20, height: 20)
      .padding(EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4))
      .background(Color.white)
    let rig = try ViewRig(view)
    #expect(rig.brightArea() == CGRect(x: 377, y: 183, width: 26, height: 24))
    #expect(rig.luma(379, 184) == 0 && rig.luma(378, 183) == 255)
  }

  @Test func `offsets, scales and rotates a view around its center without a change of the layout`() throws {
    let bar = Color.white.frame(width: 100, height: 20)
    #expect(try whiteArea(bar.offset(x: 10, y: -5)) == CGRect(x: 350, y: 180, width: 100, height: 20))
    #expect(try whiteArea(bar.scaleEffect(2)) == CGRect(x: 290, y: 175, width: 200, height: 40))
    #expect(try whiteArea(bar.rotationEffect(.degrees(90))) == CGRect(x: 380, y: 145, width: 20, height: 100))
    let column = VStack(spacing: 0) {
      Color.black.frame(width: 10, height: 10).scaleEffect(9)
      Color.white.frame(width: 10, height: 10)
    }
    #expect(try whiteArea(column) == CGRect(x: 385, y: 195, width: 10, height: 10))
  }

  @Test func `keeps the ratio of a view in its space`() throws {
    let fitting = Color.white.aspectRatio(1, contentMode: .fit).frame(width: 100, height: 60)
    #expect(try whiteArea(fitting) == CGRect(x: 360, y: 165, width: 60, height: 60))
    let filling = Color.white.aspectRatio(1, contentMode: .fill).frame(width: 100, height: 60)
    #expect(try whiteArea(filling) == CGRect(x: 340, y: 145, width: 100, height: 100))
  }

  @Test func `creates content for the size of its space`() throws {
    let view = GeometryReader { space in Color.white.frame(width: space.size.width / 2, height: 10) }
      .frame(width: 200, height: 100)
    #expect(try whiteArea(view) == CGRect(x: 290, y: 145, width: 100, height: 10))
  }

  @Test func `arranges the views of a collection in the enclosing stack`() throws {
    let row = HStack(spacing: 0) {
      ForEach(0..<3) { index in
        (index == 1 ? Color.white : Color.black).frame(width: 50, height: 10)
      }
    }
    #expect(try whiteArea(row) == CGRect(x: 365, y: 190, width: 50, height: 10))
  }
}
