// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import Testing

/// A change of a view with a state of its own.
private struct Widening: ViewModifier {
  let height: CGFloat
  @State private var isWide = false

  func body(content: Content) -> some View {
    content.frame(width: isWide ? 100 : 50, height: height).onTapGesture { isWide.toggle() }
  }
}

/// A selection that moves to the square of a contact. A contact with the selected square removes the selection.
private struct Selecting: View {
  let animation: Animation?
  @State private var selection: Int? = 0
  @Namespace private var namespace

  var body: some View {
    HStack(spacing: 0) {
      ForEach(0..<2) { index in
        Color.black.frame(width: 100, height: 50)
          .overlay {
            if index == selection {
              Color.white.matchedGeometryEffect(id: "selection", in: namespace).transition(.identity)
            }
          }
          .onTapGesture {
            if selection == index { selection = nil } else { withAnimation(animation) { selection = index } }
          }
      }
    }
  }
}

/// A view that becomes larger for a moment after a contact.
/// The phases of a view in the order of its evaluations, without repetitions.
@MainActor private final class Phases {
  private(set) var scales: [Double] = []

  func note(_ scale: Double) { if scale != scales.last { scales.append(scale) } }
}

/// A view that grows and shrinks, each in a second, after a tap.
private struct Pulsing: View {
  let phases: Phases
  @State private var count = 0

  var body: some View {
    Color.white.frame(width: 50, height: 10)
      .phaseAnimator([1.0, 2.0], trigger: count) { view, scale in
        let _ = phases.note(scale)
        view.scaleEffect(scale)
      } animation: { _ in
        .linear(duration: 1)
      }
      .onTapGesture { count += 1 }
  }
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct ModifierTests {
  /// Returns the rectangle of the bright pixels of a view.
  private func area(_ view: some View) throws -> CGRect? { try ViewRig(view).brightArea() }

  @Test func `changes a view by a modifier, which keeps its state`() throws {
    let rig = try ViewRig(Color.white.modifier(Widening(height: 10)))
    #expect(rig.brightArea() == CGRect(x: 365, y: 190, width: 50, height: 10))
    try rig.tap(390, 195)
    #expect(rig.brightArea() == CGRect(x: 340, y: 190, width: 100, height: 10))
  }

  @Test func `starts an added view at the frame of the view with the same identity`() throws {
    let slow = try ViewRig(Selecting(animation: .linear(duration: 10_000)))
    #expect(slow.brightArea() == CGRect(x: 290, y: 170, width: 100, height: 50))
    try slow.tap(440, 195)
    let start = try #require(slow.brightArea())
    #expect(abs(start.minX - 290) <= 2 && abs(start.width - 100) <= 2)
    let immediate = try ViewRig(Selecting(animation: nil))
    try immediate.tap(440, 195)
    #expect(immediate.brightArea() == CGRect(x: 390, y: 170, width: 100, height: 50))
  }

  @Test func `starts an added view at its own frame if no view had the identity in the layout before`() throws
  {
    let rig = try ViewRig(Selecting(animation: .linear(duration: 10_000)))
    try rig.tap(340, 195)
    #expect(rig.brightArea() == nil)
    try rig.tap(440, 195)
    #expect(rig.brightArea() == CGRect(x: 390, y: 170, width: 100, height: 50))
  }

  @Test func `goes through the phases after a change of the trigger`() async throws {
    let phases = Phases()
    let rig = try ViewRig(Pulsing(phases: phases))
    for _ in 0..<20 {
      try rig.step(milliseconds: 5)
      await Task.yield()
    }
    #expect(rig.brightArea()?.width == 50)
    try rig.tap(390, 195)
    var widths: [CGFloat] = []
    for _ in 0..<2000 where phases.scales.count < 3 || widths.last != 50 {
      try rig.step(milliseconds: 5)
      widths.append(rig.brightArea()?.width ?? 0)
      // The task of the view sleeps in real time, and other tests can take longer. It must not end the first animation early.
      if phases.scales.last == 1 || widths.last ?? 0 >= 75 { await Task.yield() }
    }
    #expect(phases.scales == [1, 2, 1])
    #expect(widths.last == 50 && widths.contains { (60...100).contains($0) })
  }

  @Test func `draws the mark of a gauge at the share of its range`() throws {
    func mark(_ value: Double) throws -> CGFloat {
      let gauge = Gauge(value: value, in: -10...10) { EmptyView() }.tint(.white).frame(width: 108)
      return try #require(try ViewRig(gauge).brightArea(above: 200)).midX
    }
    for (value, expected) in [(0.0, 390.0), (10, 440), (-99, 340)] {
      #expect(abs(try mark(value) - expected) <= 1)
    }
  }

  @Test func `draws the progress as a ring`() throws {
    let ring = ProgressView(value: 1).progressViewStyle(.circular).tint(.white)
    #expect(try area(ring) == CGRect(x: 374, y: 179, width: 32, height: 32))
    let bar = try #require(try area(ProgressView(value: 1).tint(.white)))
    #expect(bar.height == 4)
  }

  @Test func `shows text in capital or small letters`() throws {
    #expect(try area(Text("abc").textCase(.uppercase)) == area(Text("ABC")))
    #expect(try area(Text("ABC").textCase(.lowercase)) == area(Text("abc")))
    #expect(try area(Text("aBc").textCase(nil)) == area(Text("aBc")))
  }
}
