// SPDX-License-Identifier: Apache-2.0

import Foundation
import LockedCameraCapture
import SwiftUI
import Testing

/// A toggle that looks like a button.
private struct Switching: View {
  @State private var isOn = false

  var body: some View {
    VStack {
      Toggle("O", isOn: $isOn).toggleStyle(.button)
      Color.white.frame(width: isOn ? 100 : 50, height: 2)
    }
  }
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct StyleTests {
  /// Returns the rectangle of the bright pixels of a view.
  private func area(_ view: some View) throws -> CGRect? { try ViewRig(view).brightArea() }

  @Test func `draws only the part of a label that the style has`() throws {
    let label = Label("Title", systemImage: "circle.fill").foregroundStyle(.white)
    #expect(try area(label.labelStyle(.titleOnly)) == area(Text("Title").foregroundStyle(.white)))
    #expect(
      try area(label.labelStyle(.iconOnly)) == area(Image(systemName: "circle.fill").foregroundStyle(.white))
    )
    let whole = try #require(try area(label))
    let symbol = try #require(try area(label.labelStyle(.iconOnly)))
    #expect(whole.width > symbol.width + 20)
  }

  @Test func `draws larger symbols after imageScale`() throws {
    let symbol = Image(systemName: "circle.fill").font(.system(size: 40)).foregroundStyle(.white)
    let medium = try #require(try area(symbol))
    let large = try #require(try area(symbol.imageScale(.large)))
    #expect(abs(large.width - medium.width * 1.25) <= 2)
  }

  @Test func `toggles a value by a toggle that looks like a button`() throws {
    let rig = try ViewRig(Switching())
    // The bar is below the button.
    let before = try #require(rig.brightArea(above: 250))
    try rig.tap(390, 190)
    let after = try #require(rig.brightArea(above: 250))
    #expect(after.width >= 100 && before.width < 100)
  }

  @Test func `shows the distance of a date in minutes and seconds`() throws {
    let start = Date(timeIntervalSinceNow: -125.2)
    #expect(try area(Text(start, style: .timer)) == area(Text("2:05")))
    let long = Date(timeIntervalSinceNow: -3725.2)
    #expect(try area(Text(long, style: .timer)) == area(Text("1:02:05")))
  }

  @Test func `shows formatted numbers`() throws {
    #expect(try area(Text("\(1.25, specifier: "%.1f")×")) == area(Text("1.2×")))
    #expect(try area(Text(1234, format: .number.grouping(.never))) == area(Text("1234")))
  }

  @Test func `places the controls of a toolbar at the edges of the view`() throws {
    let view = Color.black.toolbar {
      ToolbarItem(placement: .bottomBar) { Color.white.frame(width: 20, height: 10) }
    }
    #expect(try area(view) == CGRect(x: 380, y: 390 - 12 - 10, width: 20, height: 10))
  }

  @Test func `fills a prominent button with the color of controls`() throws {
    let button = Button("O") {}.buttonStyle(.borderedProminent)
    let white = try #require(try area(button.tint(.white)))
    #expect(white.width > 30 && white.height > 20)
    #expect(try area(button.tint(.black)) == nil)
  }

  @Test func `draws a line through a symbol with a slash`() throws {
    let size = Font.system(size: 100)
    let plain = try #require(
      try area(Image(systemName: "video.fill").font(size).foregroundStyle(.white))
    )
    let crossed = try #require(
      try area(Image(systemName: "video.slash.fill").font(size).foregroundStyle(.white))
    )
    #expect(crossed.height > plain.height && crossed.height >= 90)
  }
}
