// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import Testing

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct DrawingTests {
  /// Returns the share of the frame of `rect` that is white.
  private func whiteShare(_ rig: ViewRig, _ rect: CGRect) -> Double {
    var sum = 0
    for y in Int(rect.minY)..<Int(rect.maxY) {
      for x in Int(rect.minX)..<Int(rect.maxX) { sum += rig.luma(x, y) }
    }
    return Double(sum) / 255 / Double(rect.width * rect.height)
  }

  @Test func `draws a border inside the edges of a view`() throws {
    let rig = try ViewRig(Color.black.frame(width: 100, height: 50).border(.white, width: 10))
    #expect(rig.brightArea() == CGRect(x: 340, y: 170, width: 100, height: 50))
    #expect(rig.luma(345, 195) > 127 && rig.luma(355, 195) < 127 && rig.luma(390, 195) < 127)
  }

  @Test func `draws shapes with the areas of geometry`() throws {
    let square = CGRect(x: 340, y: 145, width: 100, height: 100)
    let circle = try ViewRig(Circle().fill(.white).frame(width: 100, height: 100))
    #expect(abs(whiteShare(circle, square) - .pi / 4) < 0.002)
    let rounded = try ViewRig(RoundedRectangle(cornerRadius: 20).fill(.white).frame(width: 100, height: 100))
    #expect(abs(whiteShare(rounded, square) - (1 - (4 - .pi) * 0.04)) < 0.002)
    let ring = try ViewRig(Circle().strokeBorder(.white, lineWidth: 10).frame(width: 100, height: 100))
    #expect(abs(whiteShare(ring, square) - .pi * (0.25 - 0.16)) < 0.003)
    let half = try ViewRig(Circle().trim(to: 0.5).stroke(.white, lineWidth: 10).frame(width: 90, height: 90))
    #expect(abs(whiteShare(half, square) - .pi * (0.25 - 0.16) / 2) < 0.003)
  }

  @Test func `draws nothing for an angle and a line width that are not numbers`() throws {
    var arc = Path()
    arc.addArc(
      center: CGPoint(x: 50, y: 50),
      radius: 50,
      startAngle: .zero,
      endAngle: .degrees(.nan),
      clockwise: false
    )
    #expect(try ViewRig(arc.fill(.white)).luma(50, 50) == 0)
    let ring = try ViewRig(Circle().stroke(.white, lineWidth: .nan).frame(width: 100, height: 100))
    #expect(whiteShare(ring, CGRect(x: 340, y: 145, width: 100, height: 100)) == 0)
  }

  @Test func `blends opacities, and multiplies those of enclosing views`() throws {
    let view = Color.white.opacity(0.5).frame(width: 10, height: 10).opacity(0.5)
    #expect(abs(try ViewRig(view).luma(390, 195) - 64) <= 1)
  }

  @Test(arguments: [
    (Color(red: 1, green: 0, blue: 0), 76, 85, 255), (Color(red: 0, green: 1, blue: 0), 150, 44, 21),
    (Color(red: 0, green: 0, blue: 1), 29, 255, 107), (Color(white: 0.5), 128, 128, 128),
  ])
  func `converts colors to the full-range YCbCr of JPEG`(color: Color, luma: Int, blue: Int, red: Int) throws
  {
    let rig = try ViewRig(color)
    let chroma = rig.chroma(390, 195)
    #expect(abs(rig.luma(390, 195) - luma) <= 1)
    #expect(abs(chroma.blue - blue) <= 1 && abs(chroma.red - red) <= 1)
  }

  @Test func `draws only the part of a view that a shape contains`() throws {
    let view = Color.white.frame(width: 100, height: 100).clipShape(Circle()).frame(width: 200, height: 200)
    let rig = try ViewRig(view)
    #expect(rig.luma(390, 195) == 255)
    #expect(rig.luma(342, 147) == 0)
    #expect(abs(whiteShare(rig, CGRect(x: 340, y: 145, width: 100, height: 100)) - .pi / 4) < 0.002)
  }

  @Test func `interpolates a gradient along its line`() throws {
    let rig = try ViewRig(
      LinearGradient(colors: [.black, .white], startPoint: .leading, endPoint: .trailing)
    )
    for x in stride(from: 0, to: 780, by: 97) { #expect(abs(rig.luma(x, 100) - x * 255 / 779) <= 2, "\(x)") }
  }

  @Test func `draws a blurred shadow behind a view`() throws {
    let sharp = Color.black.frame(width: 40, height: 40).shadow(color: .white, radius: 0, x: 100, y: 50)
    #expect(try ViewRig(sharp).brightArea() == CGRect(x: 470, y: 225, width: 40, height: 40))
    let rig = try ViewRig(Color.black.frame(width: 40, height: 40).shadow(color: .white, radius: 10))
    #expect(rig.luma(371, 195) == 0 && rig.luma(358, 195) == 0)
    let edge = (0..<10).map { rig.luma(360 + $0, 195) }
    #expect(edge == edge.sorted() && edge[9] > 100 && edge[9] < 128 && edge[1] < 20)
  }

  @Test func `draws text with the height of its font, wraps it, and ends it with an ellipsis`() throws {
    let line = try #require(try ViewRig(Text("HHH").font(.system(size: 100))).brightArea())
    // The capitals of DejaVu Sans are 0.729 em high.
    #expect(abs(line.height - 73) <= 2)
    let twice = try #require(try ViewRig(Text("HHH").font(.system(size: 50))).brightArea())
    #expect(abs(twice.width - line.width / 2) <= 2)
    let narrow = Text("HHH HHH").font(.system(size: 50)).frame(width: 150)
    let wrapped = try #require(try ViewRig(narrow).brightArea())
    #expect(abs(wrapped.width - twice.width) <= 2 && wrapped.height > 90 && wrapped.height < 100)
    let cut = try #require(try ViewRig(narrow.lineLimit(1)).brightArea())
    #expect(cut.height < 50 && cut.width <= 150)
    let bold = try #require(try ViewRig(Text("HHH").font(.system(size: 100)).bold()).brightArea())
    #expect(bold.width > line.width)
  }

  @Test func `draws symbols inside their frames`() throws {
    for name in ["camera.fill", "xmark", "bolt.fill", "record.circle", "lock.fill", "no.such.symbol"] {
      let area = try #require(
        try ViewRig(Image(systemName: name).resizable().frame(width: 100, height: 100)).brightArea(),
        "\(name)"
      )
      #expect(CGRect(x: 340, y: 145, width: 100, height: 100).contains(area), "\(name)")
      #expect(max(area.width, area.height) > 60, "\(name)")
    }
  }

  @Test func `draws the label of a button in the color that a view around it sets, or else in its tint`()
    throws
  {
    let button = Button {
    } label: {
      Rectangle().frame(width: 10, height: 10)
    }
    #expect(try ViewRig(button.tint(Color(white: 0.5))).luma(390, 195) == 128)
    #expect(try ViewRig(button.tint(.black).foregroundStyle(.white)).luma(390, 195) == 255)
  }
}
