// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Foundation
import SwiftUI
import Testing

/// A value that is presented.
private struct Item: Identifiable {
  let id: Int
}

/// A view that presents a value.
private struct Presenting: View {
  @State private var item: Item?

  var body: some View {
    Color.black.onTapGesture { item = Item(id: 40) }
      .sheet(item: $item) { Color.white.frame(width: CGFloat($0.id), height: 10) }
  }
}

/// Counts actions.
@MainActor private final class Counter {
  var taps = 0
  var deletions = 0
}

/// A view with a menu.
private struct Deleting: View {
  let counter: Counter

  var body: some View {
    Color.black.frame(width: 100, height: 50)
      .onTapGesture { counter.taps += 1 }
      .contextMenu {
        Button {
          counter.deletions += 1
        } label: {
          Color.white.frame(width: 30, height: 10)
        }
        .buttonStyle(.plain)
      }
  }
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct PresentationTests {
  @Test func `presents a value until a contact outside its view`() throws {
    let rig = try ViewRig(Presenting())
    #expect(rig.brightArea() == nil)
    try rig.tap(390, 195)
    #expect(rig.brightArea() == CGRect(x: 370, y: 380, width: 40, height: 10))
    try rig.tap(10, 10)
    #expect(rig.brightArea() == nil)
  }

  @Test func `presents a message about a value only if there is one`() throws {
    func view(_ width: CGFloat?) -> some View {
      Color.black.alert("", isPresented: .constant(true), presenting: width) { _ in
        Color.black.frame(width: 10, height: 10)
      } message: { width in
        Color.white.frame(width: width, height: 4)
      }
    }
    #expect(try ViewRig(view(50)).brightArea(above: 200)?.width == 50)
    #expect(try ViewRig(view(nil)).brightArea(above: 20) == nil)
  }

  @Test func `presents a menu after a long contact, which is not a tap`() throws {
    let counter = Counter()
    let rig = try ViewRig(Deleting(counter: counter))
    try rig.tap(390, 195)
    #expect(counter.taps == 1 && rig.brightArea() == nil)
    try rig.contact(.began, 390, 195)
    try rig.step(milliseconds: 600)
    try rig.contact(.ended, 390, 195)
    #expect(counter.taps == 1 && rig.luma(390, 365) == 255)
    try rig.tap(390, 365)
    #expect(counter.deletions == 1 && rig.brightArea() == nil)
  }
}
