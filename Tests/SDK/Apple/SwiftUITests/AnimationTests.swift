// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import Testing

/// A view whose button changes a value with a course.
private struct Moving<Content: View>: View {
  @State private var isOn = false
  var animation: Animation? = .linear(duration: 0.5)
  let content: (Bool) -> Content

  var body: some View {
    ZStack {
      content(isOn)
      Color.clear.onTapGesture { withAnimation(animation) { isOn.toggle() } }
    }
  }
}

/// A view that animates each change of one value, but not of the other.
private struct Following: View {
  @State private var isOn = false
  @State private var isOther = false

  var body: some View {
    Color.white.frame(width: 10, height: 10)
      .offset(x: isOn ? 200 : 0, y: isOther ? 100 : 0)
      .animation(.linear(duration: 0.5), value: isOn)
      .frame(maxWidth: .infinity, maxHeight: .infinity)
      .onTapGesture {
        isOther.toggle()
        if isOther { isOn.toggle() }
      }
  }
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct AnimationTests {
  /// Lets the session handle its timers until nothing moves, and returns the values of `measure` after each frame.
  private func values<Value>(_ rig: ViewRig, _ measure: () throws -> Value) throws -> [Value] {
    var values: [Value] = []
    for _ in 0..<80 {
      let count = rig.frameCount
      try rig.step(milliseconds: 300)
      guard rig.frameCount > count else { break }
      values.append(try measure())
    }
    return values
  }

  @Test func `moves a view from its last place to the new one, and then draws nothing more`() throws {
    let rig = try ViewRig(
      Moving { isOn in Color.white.frame(width: 10, height: 10).offset(x: isOn ? 200 : 0) }
    )
    #expect(rig.brightArea()?.minX == 385)
    try rig.tap(10, 10)
    let places = try values(rig) { try #require(rig.brightArea()?.midX) }
    #expect(places.count >= 3 && places == places.sorted())
    #expect(places.contains { $0 > 395 && $0 < 580 })
    #expect(rig.brightArea()?.minX == 585)
    let frames = rig.frameCount
    try rig.step(milliseconds: 100)
    #expect(rig.frameCount == frames)
  }

  @Test func `shows a change at once without an animation`() throws {
    let rig = try ViewRig(
      Moving(animation: nil) { isOn in Color.white.frame(width: 10, height: 10).offset(x: isOn ? 200 : 0) }
    )
    try rig.tap(10, 10)
    #expect(rig.brightArea()?.minX == 585)
    #expect(try values(rig) {}.isEmpty)
  }

  @Test func `changes opacities, colors, sizes and rotations gradually`() throws {
    let views: [(Bool) -> AnyView] = [
      { AnyView(Color.white.frame(width: 40, height: 40).opacity($0 ? 1 : 0)) },
      { AnyView(($0 ? Color.white : Color.black).frame(width: 40, height: 40)) },
      { AnyView(Circle().fill($0 ? .white : .black).frame(width: 40, height: 40)) },
    ]
    for view in views {
      let rig = try ViewRig(Moving(content: view))
      try rig.tap(10, 10)
      let lumas = try values(rig) { rig.luma(390, 195) }
      #expect(lumas == lumas.sorted() && lumas.contains { $0 > 20 && $0 < 235 } && lumas.last == 255)
    }
    let growing = try ViewRig(Moving { Color.white.frame(width: $0 ? 200 : 20, height: 10) })
    try growing.tap(10, 10)
    let widths = try values(growing) { try #require(growing.brightArea()).width }
    #expect(widths == widths.sorted() && widths.contains { $0 > 30 && $0 < 190 } && widths.last == 200)
    let turning = try ViewRig(
      Moving { Color.white.frame(width: 200, height: 20).rotationEffect(.degrees($0 ? 90 : 0)) }
    )
    try turning.tap(10, 10)
    let heights = try values(turning) { try #require(turning.brightArea()).height }
    #expect(heights == heights.sorted() && heights.contains { $0 > 30 && $0 < 190 } && heights.last == 200)
  }

  @Test func `draws the end of a trimmed circle gradually`() throws {
    let rig = try ViewRig(
      Moving {
        Circle().trim(from: 0, to: $0 ? 1 : 0.01).stroke(.white, lineWidth: 10).frame(width: 100, height: 100)
      }
    )
    try rig.tap(10, 10)
    let areas = try values(rig) { try #require(rig.brightArea()).width }
    #expect(areas == areas.sorted() && areas.contains { $0 > 20 && $0 < 100 })
  }

  @Test func `animates only the changes with the value of the modifier`() throws {
    let rig = try ViewRig(Following())
    try rig.tap(10, 10)
    // Both values have changed, so that the view moves along a line.
    let places = try values(rig) { try #require(rig.brightArea()?.minX) }
    #expect(places.contains { $0 > 395 && $0 < 575 } && places.last == 585)
    try rig.tap(10, 10)
    #expect(rig.brightArea()?.minY == 190)
    #expect(try values(rig) {}.isEmpty)
  }

  @Test func `continues from the current place if the target changes meanwhile`() throws {
    let rig = try ViewRig(
      Moving { isOn in Color.white.frame(width: 10, height: 10).offset(x: isOn ? 300 : 0) }
    )
    try rig.tap(10, 10)
    for _ in 0..<3 { try rig.step(milliseconds: 300) }
    let middle = try #require(rig.brightArea()?.midX)
    #expect(middle > 395 && middle < 685)
    try rig.tap(10, 10)
    let turned = try #require(rig.brightArea()?.midX)
    #expect(turned > 391 && turned < 689)
    _ = try values(rig) {}
    #expect(rig.brightArea()?.minX == 385)
  }

  @Test func `ends a spring at its target, and repeats a course until the value changes`() throws {
    let spring = try ViewRig(
      Moving(animation: .spring(response: 0.1, dampingFraction: 0.5)) { isOn in
        Color.white.frame(width: 10, height: 10).offset(x: isOn ? 200 : 0)
      }
    )
    try spring.tap(10, 10)
    let places = try values(spring) { try #require(spring.brightArea()?.minX) }
    #expect(places.last == 585)
    let endless = try ViewRig(
      Moving(animation: .linear(duration: 0.05).repeatForever()) { isOn in
        Color.white.frame(width: 10, height: 10).offset(x: isOn ? 200 : 0)
      }
    )
    try endless.tap(10, 10)
    let count = endless.frameCount
    for _ in 0..<10 { try endless.step(milliseconds: 300) }
    #expect(endless.frameCount >= count + 9)
  }
}

/// A view that shows another one while its value is `true`.
private struct Appearing: View {
  @State private var isShown = false
  let transition: AnyTransition

  var body: some View {
    ZStack {
      if isShown { Color.white.frame(width: 100, height: 100).transition(transition) }
      Color.clear.onTapGesture { withAnimation(.linear(duration: 0.5)) { isShown.toggle() } }
    }
  }
}

extension AnimationTests {
  @Test func `shows a new view and hides a removed view gradually`() throws {
    let rig = try ViewRig(Appearing(transition: .opacity))
    try rig.tap(10, 10)
    let rising = try values(rig) { rig.luma(390, 195) }
    #expect(rising == rising.sorted() && rising.contains { $0 > 20 && $0 < 235 } && rising.last == 255)
    try rig.tap(10, 10)
    let falling = try values(rig) { rig.luma(390, 195) }
    #expect(falling == falling.sorted(by: >) && falling.contains { $0 > 20 && $0 < 235 } && falling.last == 0)
  }

  @Test func `moves a new view from one side and a removed view to the other`() throws {
    let rig = try ViewRig(Appearing(transition: .slide))
    try rig.tap(10, 10)
    let coming = try values(rig) { rig.brightArea()?.midX ?? 0 }
    #expect(coming == coming.sorted() && coming.last == 390 && (coming.first ?? 390) < 380)
    try rig.tap(10, 10)
    let leaving = try values(rig) { rig.brightArea()?.midX ?? 500 }
    #expect(leaving == leaving.sorted() && leaving.contains { $0 > 400 && $0 < 500 })
    #expect(rig.brightArea() == nil)
  }
}

/// A view that starts to move when it appears.
private struct Pulsing: View {
  @State private var isLarge = false

  var body: some View {
    Color.white.frame(width: 100, height: 100)
      .scaleEffect(isLarge ? 2 : 1)
      .onAppear { withAnimation(.linear(duration: 0.5)) { isLarge = true } }
  }
}

extension AnimationTests {
  @Test func `animates a change that a view makes when it appears`() throws {
    let rig = try ViewRig(Pulsing())
    let widths = try values(rig) { try #require(rig.brightArea()).width }
    #expect(widths == widths.sorted() && widths.contains { $0 > 105 && $0 < 195 } && widths.last == 200)
  }

  @Test(arguments: [false, true]) func `animates the numbers of a shape, and of a part of a shape`(
    isTrimmed: Bool
  ) throws {
    let rig = try ViewRig(Growing(isTrimmed: isTrimmed))
    #expect(rig.brightArea()?.width == 50)
    try rig.tap(390, 195)
    let widths = try values(rig) { try #require(rig.brightArea()).width }
    #expect(widths == widths.sorted() && widths.contains { $0 > 75 && $0 < 175 } && widths.last == 200)
  }

  @Test func `animates a change through a binding`() throws {
    let rig = try ViewRig(Bound())
    try rig.tap(10, 10)
    let lumas = try values(rig) { rig.luma(390, 195) }
    #expect(lumas == lumas.sorted() && lumas.contains { $0 > 20 && $0 < 235 } && lumas.last == 255)
  }
}

/// A view whose content changes a value through a binding.
private struct Bound: View {
  @State private var isBright = false

  var body: some View { Toggling(isOn: $isBright.animation(.linear(duration: 0.5))) }
}

/// A view that changes a value after a contact.
private struct Toggling: View {
  @Binding var isOn: Bool

  var body: some View { (isOn ? Color.white : .black).onTapGesture { isOn.toggle() } }
}

extension AnimationTests {
  @Test func `survives courses, opacities and shadows with numbers that are not finite`() throws {
    let numbers = [Double.nan, .infinity, -.infinity, 0, -1]
    for number in numbers {
      let animations = [
        Animation.linear(duration: number), .timingCurve(number, number, number, number),
        .spring(response: number, dampingFraction: number), .easeIn.speed(number), .easeIn.delay(number),
        .interpolatingSpring(stiffness: number, damping: number),
        .easeIn.speed(number).repeatForever(autoreverses: true),
      ]
      for animation in animations {
        let rig = try ViewRig(
          Moving(animation: animation) { isOn in
            Color.white.frame(width: 10, height: 10).offset(x: isOn ? 200 : 0).opacity(isOn ? number : 1)
              .shadow(radius: number, x: number)
          }
        )
        try rig.tap(10, 10)
        try rig.step(milliseconds: 40)
      }
    }
    // Only a crash can fail this test: no place is right for such numbers.
  }
}

/// A rectangle at the left edge of its frame.
private struct Bar: Shape {
  /// The share of the width of the frame.
  var share: CGFloat

  var animatableData: CGFloat {
    get { share }
    set { share = newValue }
  }

  func path(in rect: CGRect) -> Path {
    Path(CGRect(x: rect.minX, y: rect.minY, width: rect.width * share, height: rect.height))
  }
}

/// A bar that grows when it is touched.
private struct Growing: View {
  let isTrimmed: Bool
  @State private var share: CGFloat = 0.25

  var body: some View {
    ZStack {
      Color.black.opacity(0.01)
      if isTrimmed { Bar(share: share).trim(from: 0, to: 1).fill(.white).frame(width: 200, height: 20) }
      if !isTrimmed { Bar(share: share).fill(.white).frame(width: 200, height: 20) }
    }
    .onTapGesture { withAnimation(.linear(duration: 0.5)) { share = 1 } }
  }
}
