// SPDX-License-Identifier: Apache-2.0

import Combine
import ExtensionProtocol
import LockedCameraCapture
import SwiftUI
import Testing

/// The values of gestures.
@MainActor private final class Record {
  var magnifications: [Double] = []
  var ends = 0
  var taps = 0
}

/// A view that is white during a pinch.
private struct Pinching: View {
  let record: Record
  @GestureState private var isPinching = false

  var body: some View {
    (isPinching ? Color.white : Color.black)
      .gesture(
        MagnifyGesture()
          .updating($isPinching) { _, state, _ in state = true }
          .onChanged { record.magnifications.append($0.magnification) }
          .onEnded { _ in record.ends += 1 }
      )
      .simultaneousGesture(TapGesture().onEnded { record.taps += 1 })
  }
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct GestureTests {
  @Test func `reports the distance of two contacts, and resets the state of the gesture at its end`() throws {
    let record = Record()
    let rig = try ViewRig(Pinching(record: record))
    try rig.contact(.began, 300, 195, contact: 1)
    try rig.contact(.began, 400, 195, contact: 2)
    #expect(rig.luma(10, 10) == 0)
    try rig.contact(.moved, 500, 195, contact: 2)
    #expect(rig.luma(10, 10) == 255)
    try rig.contact(.moved, 450, 195, contact: 1)
    try rig.contact(.ended, 450, 195, contact: 1)
    #expect(record.magnifications == [2, 0.5] && record.ends == 1)
    #expect(rig.luma(10, 10) == 0)
    // The contacts of a pinch are not a tap, and the rest of the other contact means nothing.
    try rig.contact(.moved, 550, 195, contact: 2)
    try rig.contact(.ended, 550, 195, contact: 2)
    #expect(record.taps == 0 && record.magnifications.count == 2)
    try rig.tap(300, 195)
    #expect(record.taps == 1 && record.ends == 1)
  }

  @Test func `ignores a second contact with a view that reacts to one`() throws {
    let record = Record()
    let rig = try ViewRig(Color.white.onTapGesture { record.taps += 1 })
    try rig.contact(.began, 300, 195, contact: 1)
    try rig.contact(.began, 400, 195, contact: 2)
    try rig.contact(.ended, 400, 195, contact: 2)
    #expect(record.taps == 0)
    try rig.contact(.ended, 300, 195, contact: 1)
    #expect(record.taps == 1)
  }

  @Test func `performs the action of a double tap only after two taps that follow each other`() throws {
    let record = Record()
    let rig = try ViewRig(Color.white.onTapGesture(count: 2) { record.taps += 1 })
    try rig.tap(300, 195)
    #expect(record.taps == 0)
    try rig.tap(300, 195)
    #expect(record.taps == 1)
    try rig.tap(300, 195)
    try rig.step(milliseconds: 400)
    try rig.tap(300, 195)
    #expect(record.taps == 1)
  }

  @Test func `performs a simultaneous gesture besides the button in the view`() throws {
    let record = Record()
    let rig = try ViewRig(
      Button {
        record.taps += 1
      } label: {
        Color.white
      }
      .simultaneousGesture(TapGesture().onEnded { record.ends += 1 })
    )
    try rig.tap(300, 195)
    #expect(record.taps == 1 && record.ends == 1)
  }

  @Test func `receives the values of a publisher while the view is in the tree`() throws {
    let record = Record()
    let subject = PassthroughSubject<Double, Never>()
    let rig = try ViewRig(Color.white.onReceive(subject) { record.magnifications.append($0) })
    subject.send(3)
    #expect(record.magnifications == [3])
    withExtendedLifetime(rig) {}
  }

  @Test func `reports the position of a tap in the view`() throws {
    var positions: [CGPoint] = []
    let view = Color.white.frame(width: 100, height: 50)
      .onTapGesture { location in positions.append(location) }
    let rig = try ViewRig(view)
    try rig.tap(350, 190)
    #expect(positions == [CGPoint(x: 10, y: 20)])
  }

  @Test func `recognizes one of two exclusive gestures, each with its number of taps`() throws {
    let record = Record()
    let drag = DragGesture().onEnded { _ in record.ends += 1 }
    let doubleTap = TapGesture(count: 2).onEnded { record.taps += 1 }
    let rig = try ViewRig(Color.white.gesture(drag.exclusively(before: doubleTap)))
    try rig.contact(.began, 390, 195)
    try rig.contact(.moved, 430, 195)
    try rig.contact(.ended, 430, 195)
    #expect(record.ends == 1 && record.taps == 0)
    try rig.tap(390, 195)
    #expect(record.taps == 0)
    try rig.tap(390, 195)
    #expect(record.ends == 1 && record.taps == 1)
  }

  @Test func `recognizes a single tap when no second tap has followed the first one`() throws {
    let record = Record()
    let doubleTap = TapGesture(count: 2).onEnded { record.ends += 1 }
    let singleTap = TapGesture().onEnded { record.taps += 1 }
    let rig = try ViewRig(Color.white.gesture(doubleTap.exclusively(before: singleTap)))
    try rig.tap(300, 195)
    #expect(record.ends == 0 && record.taps == 0)
    try rig.step(milliseconds: 600)
    #expect(record.ends == 0 && record.taps == 1)
    try rig.tap(300, 195)
    try rig.tap(300, 195)
    #expect(record.ends == 1 && record.taps == 1)
    try rig.step(milliseconds: 600)
    #expect(record.ends == 1 && record.taps == 1)
  }

  @Test func `ends a drag that returns to its start, without another gesture`() throws {
    let record = Record()
    let drag = DragGesture()
      .onChanged { record.magnifications.append($0.translation.width) }
      .onEnded { _ in record.ends += 1 }
    let tap = TapGesture().onEnded { record.taps += 1 }
    for rig in [
      try ViewRig(Color.white.gesture(drag.exclusively(before: tap))),
      try ViewRig(Color.white.gesture(tap.exclusively(before: drag))),
    ] {
      (record.magnifications, record.ends) = ([], 0)
      try rig.contact(.began, 390, 195)
      try rig.contact(.moved, 430, 195)
      try rig.contact(.moved, 393, 195)
      try rig.contact(.ended, 392, 195)
      #expect(record.magnifications == [40, 3] && record.ends == 1 && record.taps == 0)
    }
    let rig = try ViewRig(Color.white.gesture(drag.exclusively(before: tap)))
    try rig.contact(.began, 390, 195)
    try rig.contact(.moved, 395, 195)
    try rig.contact(.ended, 395, 195)
    #expect(record.ends == 1 && record.taps == 1)
  }
}
