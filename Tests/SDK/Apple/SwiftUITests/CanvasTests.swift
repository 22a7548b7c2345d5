// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import Testing

/// A drawing that a contact moves.
private struct Moving: View {
  @State private var x = 10.0

  var body: some View {
    Canvas { context, _ in
      context.fill(Path(CGRect(x: x, y: 5, width: 20, height: 10)), with: .color(.white))
    }
    .frame(width: 100, height: 50)
    .onTapGesture { x = 50 }
  }
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct CanvasTests {
  /// Returns the frame of the white pixels of a view of 100 by 50 points with its upper left corner at (340, 170).
  private func whiteArea(_ draw: @escaping @MainActor (inout GraphicsContext, CGSize) -> Void) throws
    -> CGRect?
  {
    try ViewRig(Canvas(renderer: draw).frame(width: 100, height: 50)).brightArea()
  }

  @Test func `draws again after a change of a value that the drawing reads`() throws {
    let rig = try ViewRig(Moving())
    #expect(rig.brightArea() == CGRect(x: 350, y: 175, width: 20, height: 10))
    try rig.tap(390, 195)
    #expect(rig.brightArea() == CGRect(x: 390, y: 175, width: 20, height: 10))
  }

  @Test func `fills, strokes, moves and clips paths`() throws {
    let square = Path(CGRect(x: 0, y: 0, width: 20, height: 20))
    let moved = try whiteArea { context, size in
      context.translateBy(x: size.width / 2, y: 0)
      context.scaleBy(x: 2, y: 1)
      context.fill(square, with: .color(.white))
    }
    #expect(moved == CGRect(x: 390, y: 170, width: 40, height: 20))
    let clipped = try whiteArea { context, _ in
      var copy = context
      copy.clip(to: Path(CGRect(x: 5, y: 5, width: 5, height: 5)))
      copy.fill(square, with: .style(.white))
      context.opacity = 0.2
      context.fill(square, with: .color(.white))
    }
    #expect(clipped == CGRect(x: 345, y: 175, width: 5, height: 5))
    let line = Path { path in
      path.move(to: CGPoint(x: 10, y: 20))
      path.addLine(to: CGPoint(x: 30, y: 20))
    }
    let stroked = try whiteArea { context, _ in context.stroke(line, with: .color(.white), lineWidth: 4) }
    #expect(stroked == CGRect(x: 350, y: 188, width: 20, height: 4))
  }

  @Test func `draws a gradient between two points`() throws {
    let gradient = Gradient(colors: [.black, .white])
    let area = try whiteArea { context, size in
      let rect = CGRect(origin: .zero, size: size)
      let end = CGPoint(x: 50, y: 0)
      context.fill(Path(rect), with: .linearGradient(gradient, startPoint: .zero, endPoint: end))
    }
    // The right half is white, and the left half becomes brighter.
    let left = try #require(area?.minX)
    #expect(abs(left - 365) <= 2 && area?.maxX == 440)
  }

  @Test func `draws angular and radial gradients around their centers`() throws {
    func gradient(_ first: Color, _ second: Color) -> Gradient {
      Gradient(
        stops: [(first, 0), (first, 0.5), (second, 0.5), (second, 1)].map { .init(color: $0, location: $1) }
      )
    }
    let angular = AngularGradient(gradient: gradient(.black, .white), center: .center)
    let square = Rectangle().fill(angular).frame(width: 100, height: 100)
    // Angles grow clockwise from the right: the upper half has angles above 180 degrees.
    #expect(try ViewRig(square).brightArea() == CGRect(x: 340, y: 145, width: 100, height: 50))
    let turned = try ViewRig(square.rotationEffect(.degrees(90)))
    #expect(turned.luma(350, 195) == 0 && turned.luma(430, 195) == 255)
    let radial = RadialGradient(
      gradient: gradient(.white, .black),
      center: .center,
      startRadius: 0,
      endRadius: 40
    )
    #expect(
      try ViewRig(radial.frame(width: 100, height: 100)).brightArea()
        == CGRect(x: 370, y: 175, width: 40, height: 40)
    )
  }

  @Test func `insets a shape, and rounds the corners of a rectangle one by one`() throws {
    let circle = Circle().inset(by: 10).fill(.white).frame(width: 60, height: 60)
    #expect(try ViewRig(circle).brightArea() == CGRect(x: 370, y: 175, width: 40, height: 40))
    let shape = UnevenRoundedRectangle(topLeadingRadius: 20).fill(.white).frame(width: 100, height: 100)
    let rig = try ViewRig(shape)
    #expect(rig.luma(341, 146) == 0)
    #expect(rig.luma(438, 146) == 255 && rig.luma(438, 243) == 255 && rig.luma(341, 243) == 255)
  }
}
