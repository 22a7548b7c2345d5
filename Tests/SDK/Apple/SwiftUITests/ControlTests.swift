// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import SwiftUI
import Testing

/// Records what controls do.
@MainActor private final class Recorder {
  var taps: [Int] = []
  var edits: [Bool] = []
}

/// A row of ten buttons, of which three are visible.
private struct Modes: View {
  let recorder: Recorder

  var body: some View {
    ScrollView(.horizontal, showsIndicators: false) {
      HStack(spacing: 0) {
        ForEach(0..<10) { index in
          Button {
            recorder.taps.append(index)
          } label: {
            Color(white: Double(index) / 10).frame(width: 100, height: 50)
          }
          .buttonStyle(.plain)
        }
      }
    }
    .frame(width: 300)
  }
}

/// A choice between three values, and a view with the width of the chosen one.
private struct Choosing: View {
  @State private var width = 20

  var body: some View {
    VStack(spacing: 100) {
      Color.white.frame(width: CGFloat(width), height: 10)
      Picker("Width", selection: $width) {
        ForEach([20, 40, 60], id: \.self) { value in Color.black.frame(width: 76, height: 20).tag(value) }
      }
    }
  }
}

/// A stepper for the width of a view.
private struct Stepping: View {
  @State private var width = 20

  var body: some View {
    VStack(spacing: 100) {
      Color.white.frame(width: CGFloat(width), height: 10)
      Stepper("", value: $width, in: 0...30, step: 20).frame(width: 200)
    }
  }
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct ControlTests {
  @Test func `scrolls with a moving contact, up to the ends of the content`() throws {
    let recorder = Recorder()
    let rig = try ViewRig(Modes(recorder: recorder))
    // The view is 300 points wide, from the column 240 on.
    #expect(abs(rig.luma(490, 195) - 51) <= 1)
    try rig.contact(.began, 490, 195)
    try rig.contact(.moved, 390, 195)
    #expect(abs(rig.luma(490, 195) - 77) <= 1)
    try rig.contact(.ended, 390, 195)
    #expect(recorder.taps.isEmpty)
    try rig.tap(490, 195)
    #expect(recorder.taps == [3])
    try rig.contact(.began, 490, 195)
    try rig.contact(.moved, -5000, 195)
    try rig.contact(.ended, -5000, 195)
    #expect(abs(rig.luma(490, 195) - 230) <= 1)
    #expect(rig.luma(230, 195) == 0 && rig.luma(550, 195) == 0)
  }

  @Test func `does not press the parts of a scrolled view that are hidden`() throws {
    let recorder = Recorder()
    let rig = try ViewRig(Modes(recorder: recorder))
    try rig.tap(600, 195)
    #expect(recorder.taps.isEmpty)
    try rig.contact(.began, 490, 195)
    try rig.contact(.moved, 485, 195)
    try rig.contact(.ended, 485, 195)
    #expect(recorder.taps == [2])
  }

  @Test func `chooses the value of the segment with a contact`() throws {
    let rig = try ViewRig(Choosing())
    #expect(rig.brightArea(above: 240)?.width == 20)
    // Each segment is 100 points wide, at the columns 240, 340 and 440.
    try rig.tap(490, 255)
    #expect(rig.brightArea(above: 240)?.width == 60)
    try rig.tap(390, 255)
    #expect(rig.brightArea(above: 240)?.width == 40)
  }

  @Test func `changes a value by its step within its range`() throws {
    let rig = try ViewRig(Stepping())
    for expected in [30, 30] {
      try rig.tap(470, 255)
      #expect(rig.brightArea(above: 240)?.width == CGFloat(expected))
    }
  }

  @Test func `reports the start and the end of a change of a slider`() throws {
    let recorder = Recorder()
    let slider = Slider(value: .constant(0), onEditingChanged: { recorder.edits.append($0) })
    let rig = try ViewRig(slider.frame(width: 228))
    try rig.contact(.began, 300, 195)
    try rig.contact(.moved, 350, 195)
    try rig.contact(.ended, 350, 195)
    #expect(recorder.edits == [true, true, false])
  }
}
