// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LockedCameraCapture
import SwiftUI
import Testing

/// Counts events of a view.
@MainActor private final class Counter {
  var taps = 0
  var evaluations = 0
  var values: [Double] = []
}

/// A view with a button that changes what is drawn.
private struct Switching: View {
  @State private var isOn = false
  let counter: Counter

  var body: some View {
    counter.evaluations += 1
    return Button {
      isOn.toggle()
      counter.taps += 1
    } label: {
      (isOn ? Color.white : Color.black).frame(width: 100, height: 50)
    }
    .buttonStyle(.plain)
  }
}

/// A view that reads the lock state.
private struct LockText: View {
  @Environment(\.lockState) private var lockState

  var body: some View { (lockState == .unlocked ? Color.white : Color.black).frame(width: 10, height: 10) }
}

/// A view with a slider.
private struct Adjusting: View {
  @State private var value = 0.0
  let counter: Counter

  var body: some View {
    Slider(value: $value, in: 0...10, step: 1)
      .frame(width: 228)
      .onChange(of: value) { _, new in counter.values.append(new) }
  }
}

/// A model whose changes are published.
@MainActor private final class Model: ObservableObject {
  @Published var isBright = false
  @Published var unread = 0
}

/// A view that owns a model.
private struct Publishing: View {
  @StateObject private var model = Model()
  let counter: Counter

  var body: some View {
    ObservingView(model: model, counter: counter)
      .onTapGesture { model.isBright.toggle() }
  }
}

/// A view that reads a model.
private struct ObservingView: View {
  @ObservedObject var model: Model
  let counter: Counter

  var body: some View {
    counter.evaluations += 1
    return (model.isBright ? Color.white : Color.black).frame(width: 100, height: 50)
  }
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct InteractionTests {
  @Test func `performs the action of a button after a contact in it, and draws the changed state`() throws {
    let counter = Counter()
    let rig = try ViewRig(Switching(counter: counter))
    #expect(rig.luma(390, 195) == 0)
    try rig.tap(390, 195)
    #expect(counter.taps == 1 && rig.luma(390, 195) == 255)
    try rig.tap(10, 10)
    #expect(counter.taps == 1)
    try rig.contact(.began, 390, 195)
    try rig.contact(.moved, 600, 195)
    try rig.contact(.ended, 600, 195)
    try rig.contact(.began, 390, 195)
    try rig.contact(.cancelled, 390, 195)
    #expect(counter.taps == 1 && rig.luma(390, 195) == 255)
  }

  @Test func `does not perform the action of a disabled button, nor of one behind another`() throws {
    let counter = Counter()
    let disabled = try ViewRig(Switching(counter: counter).disabled(true))
    try disabled.tap(390, 195)
    #expect(counter.taps == 0)
    let front = Counter()
    let covered = try ViewRig(
      ZStack {
        Switching(counter: counter)
        Switching(counter: front)
      }
    )
    try covered.tap(390, 195)
    #expect((counter.taps, front.taps) == (0, 1))
  }

  @Test func `evaluates and draws nothing after an event that changes nothing`() throws {
    let counter = Counter()
    let rig = try ViewRig(Switching(counter: counter))
    let frames = rig.frameCount
    try rig.setLockState(.unlocked)
    try rig.step()
    #expect(counter.evaluations == 1 && rig.frameCount == frames)
  }

  @Test func `draws the environment of the session after it has changed`() throws {
    let rig = try ViewRig(LockText())
    #expect(rig.luma(390, 195) == 0)
    try rig.setLockState(.unlocked)
    #expect(rig.luma(390, 195) == 255)
  }

  @Test func `sets the value of a slider to the nearest step under the contact`() throws {
    let counter = Counter()
    let rig = try ViewRig(Adjusting(counter: counter))
    // The slider is 228 points wide, and its knob moves over 200 points from the column 290 on.
    try rig.contact(.began, 290 + 52, 195)
    try rig.contact(.moved, 290 + 500, 195)
    try rig.contact(.ended, 290 + 98, 195)
    #expect(counter.values == [3, 10, 5])
  }

  @Test func `reports the distance of a drag, and a contact that rests`() throws {
    let counter = Counter()
    let drag = try ViewRig(
      Color.white.gesture(DragGesture().onChanged { counter.values.append($0.translation.width) })
    )
    try drag.contact(.began, 100, 100)
    try drag.contact(.moved, 105, 100)
    try drag.contact(.moved, 130, 100)
    #expect(counter.values == [30])
    let press = try ViewRig(Color.white.onLongPressGesture(minimumDuration: 0.02) { counter.taps += 1 })
    try press.tap(100, 100)
    try press.step(milliseconds: 40)
    #expect(counter.taps == 0)
    try press.contact(.began, 100, 100)
    try press.step(milliseconds: 40)
    try press.contact(.ended, 100, 100)
    #expect(counter.taps == 1)
  }

  @Test func `does not recognize a contact that must rest for ever`() throws {
    let counter = Counter()
    let view = Color.white.onLongPressGesture(minimumDuration: .infinity) { counter.taps += 1 }
    let press = try ViewRig(view)
    try press.contact(.began, 100, 100)
    try press.step(milliseconds: 20)
    try press.contact(.ended, 100, 100)
    #expect(counter.taps == 0)
  }

  @Test func `draws a published value after it has changed, and keeps the object of the view`() throws {
    let counter = Counter()
    let rig = try ViewRig(Publishing(counter: counter))
    #expect(rig.luma(390, 195) == 0)
    try rig.tap(390, 195)
    #expect(rig.luma(390, 195) == 255 && counter.evaluations == 2)
    try rig.tap(390, 195)
    #expect(rig.luma(390, 195) == 0 && counter.evaluations == 3)
  }

  @Test func `creates the content of a timeline again at its times`() throws {
    let counter = Counter()
    let rig = try ViewRig(
      TimelineView(.periodic(from: .now, by: 0.02)) { _ in
        let _ = counter.evaluations += 1
        Color.white.frame(width: CGFloat(counter.evaluations), height: 1)
      }
    )
    let frames = rig.frameCount
    try rig.step(milliseconds: 60)
    #expect(counter.evaluations == 2 && rig.frameCount == frames + 1)
  }
}

/// A view that presents a message.
private struct Alerting: View {
  @State private var isPresented = false
  let counter: Counter

  var body: some View {
    Color.white
      .frame(width: 20, height: 20)
      .onTapGesture { isPresented = true }
      .alert("H", isPresented: $isPresented) {
        Button {
          counter.taps += 1
        } label: {
          Color.white.frame(width: 100, height: 50)
        }.buttonStyle(.plain)
      }
  }
}

extension InteractionTests {
  @Test func `presents a message over the view until the contact with its button ends`() throws {
    let counter = Counter()
    let rig = try ViewRig(Alerting(counter: counter))
    try rig.tap(390, 195)
    // The view is darkened, or hidden by the message.
    #expect(rig.brightArea()?.width == 100)
    try rig.tap(10, 10)
    let button = try #require(rig.brightArea(above: 250))
    try rig.tap(button.midX, button.maxY - 5)
    #expect(counter.taps == 1)
    #expect(rig.brightArea() == CGRect(x: 380, y: 185, width: 20, height: 20))
  }
}
