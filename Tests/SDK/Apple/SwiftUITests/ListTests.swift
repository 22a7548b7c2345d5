// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import SwiftUI
import Testing

/// A list whose rows can be deleted.
private struct Deleting: View {
  @State private var widths = [30, 60]

  var body: some View {
    List {
      ForEach(widths, id: \.self) { width in Color.white.frame(width: CGFloat(width), height: 24) }
        .onDelete { widths.remove(atOffsets: $0) }
    }
  }
}

/// An element that is changed through a binding.
private struct Flag: Identifiable {
  let id: Int
  var isOn = false
}

/// A view that changes an element.
private struct FlagView: View {
  @Binding var flag: Flag

  var body: some View {
    (flag.isOn ? Color.white : Color.black).frame(width: 50, height: 50)
      .onTapGesture { flag.isOn.toggle() }
  }
}

/// Views for bindings to the elements of a state.
private struct Flags: View {
  @State private var flags = [Flag(id: 1), Flag(id: 2)]

  var body: some View {
    HStack(spacing: 0) {
      ForEach($flags) { FlagView(flag: $0) }
    }
  }
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct ListTests {
  /// Returns the frame of the white pixels of a view.
  private func whiteArea(_ view: some View) throws -> CGRect? { try ViewRig(view).brightArea() }

  private var row: some View { Color.white.frame(width: 30, height: 24) }

  @Test func `arranges each view in a row of at least 44 points`() throws {
    #expect(try whiteArea(List { row }) == CGRect(x: 32, y: 26, width: 30, height: 24))
    #expect(try whiteArea(List { row }.listStyle(.plain)) == CGRect(x: 16, y: 10, width: 30, height: 24))
    let second = List {
      Color.black.frame(width: 10, height: 10)
      row
    }
    #expect(try whiteArea(second)?.minY == 70)
    let elements = List([10, 24], id: \.self) { height in
      Color.white.frame(width: 30, height: CGFloat(height))
    }
    // The first view is in the middle of its row.
    #expect(try whiteArea(elements) == CGRect(x: 32, y: 33, width: 30, height: 61))
  }

  @Test func `draws the rows of a section between its header and its footer`() throws {
    let list = List {
      Section {
        row
      } header: {
        Color.black.frame(width: 10, height: 20)
      } footer: {
        Color.black.frame(width: 10, height: 20)
      }
    }
    #expect(try whiteArea(list) == CGRect(x: 32, y: 62, width: 30, height: 24))
    let form = Form { Section("") { row } }
    #expect(try whiteArea(form)?.size == CGSize(width: 30, height: 24))
  }

  @Test func `deletes a row that is moved to the left, at least 50 % of its width`() throws {
    let rig = try ViewRig(Deleting())
    try rig.contact(.began, 500, 38)
    try rig.contact(.moved, 400, 38)
    #expect(rig.luma(40, 38) < 127)
    try rig.contact(.ended, 400, 38)
    #expect(rig.brightArea() == CGRect(x: 32, y: 26, width: 60, height: 68))
    try rig.contact(.began, 700, 38)
    try rig.contact(.moved, 300, 38)
    try rig.contact(.ended, 300, 38)
    #expect(rig.brightArea() == CGRect(x: 32, y: 26, width: 60, height: 24))
  }

  @Test func `changes an element through the binding of its view`() throws {
    let rig = try ViewRig(Flags())
    try rig.tap(415, 195)
    #expect(rig.brightArea() == CGRect(x: 390, y: 170, width: 50, height: 50))
  }

  @Test func `removes the elements at some offsets`() {
    var letters = Array("abcd")
    letters.remove(atOffsets: IndexSet([0, 2]))
    #expect(letters == ["b", "d"])
  }
}
