// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import Testing

/// Counts how often a view appears.
@MainActor private final class Counter {
  var appearances = 0
}

/// A row that becomes a column after a contact.
private struct Turning: View {
  let counter: Counter
  @State private var isRow = true

  var body: some View {
    let layout = isRow ? AnyLayout(HStackLayout(spacing: 0)) : AnyLayout(VStackLayout(spacing: 0))
    layout {
      Color.black.frame(width: 40, height: 20)
      Color.white.frame(width: 20, height: 20).onAppear { counter.appearances += 1 }
    }
    .onTapGesture { isRow.toggle() }
  }
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct GridTests {
  /// Returns the frame of the white pixels of a view.
  private func whiteArea(_ view: some View) throws -> CGRect? { try ViewRig(view).brightArea() }

  @Test func `makes the columns of a table as wide as their widest view`() throws {
    func table(_ last: some View) -> some View {
      Grid(horizontalSpacing: 10, verticalSpacing: 4) {
        GridRow {
          Color.black.frame(width: 20, height: 10)
          Color.white.frame(width: 30, height: 10)
        }
        GridRow {
          Color.black.frame(width: 50, height: 10)
          Color.black.frame(width: 10, height: 10)
        }
        last
      }
    }
    // 50 and 30 points with a gap of 10; 10, 10 and 2 points with two gaps of 4.
    #expect(
      try whiteArea(table(Color.black.frame(height: 2))) == CGRect(x: 405, y: 180, width: 30, height: 10)
    )
    let spanning = try ViewRig(table(Color.white.frame(height: 2)))
    #expect(spanning.luma(345, 209) == 255 && spanning.luma(434, 209) == 255)
    #expect(spanning.luma(344, 209) == 0 && spanning.luma(435, 209) == 0)
  }

  @Test func `aligns a column of a table, and draws a cell over several columns`() throws {
    let aligned = Grid(horizontalSpacing: 10) {
      GridRow {
        Color.white.frame(width: 20, height: 10).gridColumnAlignment(.trailing)
        Color.black.frame(width: 30, height: 10)
      }
      GridRow { Color.black.frame(width: 50, height: 10) }
    }
    #expect(try whiteArea(aligned)?.minX == 375)
    let wide = Grid(horizontalSpacing: 10) {
      GridRow { Color.white.frame(height: 10).gridCellColumns(2) }
      GridRow {
        Color.black.frame(width: 50, height: 10)
        Color.black.frame(width: 30, height: 10)
      }
    }
    #expect(try whiteArea(wide) == CGRect(x: 345, y: 181, width: 90, height: 10))
  }

  @Test func `arranges views in fixed and flexible columns`() throws {
    let grid = LazyVGrid(columns: [GridItem(.fixed(40), spacing: 10), GridItem(.flexible())], spacing: 6) {
      Color.black.frame(height: 10)
      Color.black.frame(height: 10)
      Color.black.frame(height: 20)
      Color.white.frame(height: 20)
    }
    .frame(width: 200)
    #expect(try whiteArea(grid) == CGRect(x: 340, y: 193, width: 150, height: 20))
  }

  @Test func `creates as many adaptive columns as the space has room for`() throws {
    let grid = LazyVGrid(columns: [GridItem(.adaptive(minimum: 46), spacing: 4)], spacing: 4) {
      ForEach(0..<6) { index in (index == 5 ? Color.white : Color.black).frame(height: 10) }
    }
    .frame(width: 200)
    // Four columns of 47 points.
    #expect(try whiteArea(grid) == CGRect(x: 341, y: 197, width: 47, height: 10))
  }

  @Test func `arranges views in rows from top to bottom`() throws {
    let grid = LazyHGrid(rows: [GridItem(.fixed(20), spacing: 10), GridItem(.fixed(30))], spacing: 6) {
      Color.black.frame(width: 10)
      Color.black.frame(width: 16)
      Color.white.frame(width: 20)
    }
    .frame(height: 60)
    #expect(try whiteArea(grid) == CGRect(x: 391, y: 165, width: 20, height: 20))
  }

  @Test func `keeps the views of a layout that changes`() throws {
    let counter = Counter()
    let rig = try ViewRig(Turning(counter: counter))
    #expect(rig.brightArea() == CGRect(x: 400, y: 185, width: 20, height: 20))
    try rig.tap(410, 195)
    #expect(rig.brightArea() == CGRect(x: 380, y: 195, width: 20, height: 20))
    #expect(counter.appearances == 1)
  }
}
