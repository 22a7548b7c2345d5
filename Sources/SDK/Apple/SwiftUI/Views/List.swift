// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A scrolling column of rows; SwiftUI's name.
///
/// Each view is a row. The rows of a ``Section`` are a group of their own.
public struct List<Content: View>: View {
  private let content: Content
  @Environment(\.listStyle) private var style

  /// Creates a list of the views in `content`.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// The rows, which the user can move.
  public var body: some View {
    ScrollView {
      RowGroup(content: content, style: style).padding(style.isInset ? 16 : 0)
    }
    .background(Color.black)
    .environment(\.isInList, true)
  }
}

extension List {
  /// Creates a list with a row for each element of a collection.
  public init<Data: RandomAccessCollection, Row: View>(
    _ data: Data,
    @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Data.Element: Identifiable, Content == ForEach<Data, Data.Element.ID, Row> {
    self.init { ForEach(data, content: rowContent) }
  }

  /// Creates a list with a row for each element of a collection, which a member identifies.
  public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
    _ data: Data,
    id: KeyPath<Data.Element, ID>,
    @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, ID, Row> {
    self.init { ForEach(data, id: id, content: rowContent) }
  }
}

/// The appearance of lists; SwiftUI's name.
public struct ListStyle: Hashable, Sendable {
  /// Whether groups of rows have a background and a distance from the edges.
  let isInset: Bool

  /// Groups with a background.
  public static let automatic = ListStyle(isInset: true)
  /// Rows from edge to edge.
  public static let plain = ListStyle(isInset: false)
  /// Groups with a background.
  public static let grouped = automatic
  /// Groups with a background.
  public static let insetGrouped = automatic
}

/// The key of the appearance of lists.
private struct ListStyleKey: EnvironmentKey {
  static let defaultValue = ListStyle.automatic
}

/// The key of whether a view is in a list.
private struct InListKey: EnvironmentKey {
  static let defaultValue = false
}

extension EnvironmentValues {
  /// The appearance of lists.
  fileprivate(set) var listStyle: ListStyle {
    get { self[ListStyleKey.self] }
    set { self[ListStyleKey.self] = newValue }
  }

  /// Whether the view is in a list.
  fileprivate(set) var isInList: Bool {
    get { self[InListKey.self] }
    set { self[InListKey.self] = newValue }
  }
}

extension View {
  /// Sets the appearance of lists in the view.
  public func listStyle(_ style: ListStyle) -> some View { environment(\.listStyle, style) }
}

/// A part of a form or list with a header and a footer; SwiftUI's name.
public struct Section<Parent: View, Content: View, Footer: View>: View {
  private let header: Parent
  private let content: Content
  private let footer: Footer
  @Environment(\.isInList) private var isInList
  @Environment(\.listStyle) private var style

  /// Creates a part with a header and a footer.
  public init(
    @ViewBuilder content: () -> Content,
    @ViewBuilder header: () -> Parent,
    @ViewBuilder footer: () -> Footer
  ) {
    (self.header, self.content, self.footer) = (header(), content(), footer())
  }

  /// The controls between the header and the footer.
  public var body: some View {
    if isInList {
      GroupedSection {
        VStack(alignment: .leading, spacing: 6) {
          edge(header)
          RowGroup(content: content, style: style)
          edge(footer)
        }
        .padding(.vertical, 10)
      }
    } else {
      VStack(alignment: .leading, spacing: 12) {
        edge(header)
        content
        edge(footer)
      }
    }
  }

  /// Returns the header or footer, or nothing.
  @ViewBuilder
  private func edge<Edge: View>(_ view: Edge) -> some View {
    if Edge.self != EmptyView.self {
      view.font(.footnote).foregroundStyle(.gray).padding(.horizontal, isInList ? 16 : 0)
    }
  }
}

extension Section where Parent == EmptyView, Footer == EmptyView {
  /// Creates a part without a header.
  public init(@ViewBuilder content: () -> Content) {
    self.init(content: content) {
      EmptyView()
    } footer: {
      EmptyView()
    }
  }
}

extension Section where Parent == Text, Footer == EmptyView {
  /// Creates a part with a title.
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    self.init(content: content) {
      Text(String(title))
    } footer: {
      EmptyView()
    }
  }
}

extension Section where Footer == EmptyView {
  /// Creates a part with a header.
  public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
    self.init(content: content, header: header) { EmptyView() }
  }
}

extension Section where Parent == EmptyView {
  /// Creates a part with a footer.
  public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
    self.init(content: content, header: { EmptyView() }, footer: footer)
  }
}

/// A section in a list, which is not a row.
private struct GroupedSection<Content: View>: BuiltInView, GroupOfRows {
  @ViewBuilder let content: Content

  func update(_ node: ViewNode) throws { try node.setChild(content) }

  func size(_ proposal: Proposal, of element: Element) -> Vector { element.onlyContent.size(proposal) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    element.onlyContent.place(in: frame, placement)
  }
}

/// A view in a list that arranges its own rows.
@MainActor
private protocol GroupOfRows: Arranged {}

/// Rows with lines between them.
private struct RowGroup<Content: View>: BuiltInView, Arranged {
  let content: Content
  let style: ListStyle
  private let insets = Vector(16, 10)
  private let leastHeight = 44.0

  init(content: Content, style: ListStyle) { (self.content, self.style) = (content, style) }

  func update(_ node: ViewNode) throws { try node.setChild(content) }

  /// Returns the height of a row with a width.
  private func height(_ row: Element, _ width: Double) -> Double {
    if row.view is any GroupOfRows { return row.size(Proposal(width: width, height: nil)).y }
    let size = row.size(Proposal(width: max(0, width - 2 * insets.x), height: nil))
    return max(leastHeight, size.y + 2 * insets.y)
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    let width = proposal.width ?? element.content.map { $0.size(.ideal).x + 2 * insets.x }.max() ?? 0
    return Vector(width, element.content.reduce(0) { $0 + height($1, width) })
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    var origin = frame.low
    for (index, row) in element.content.enumerated() {
      let isRow = !(row.view is any GroupOfRows)
      let bounds = Bounds(at: origin, Vector(frame.size.x, height(row, frame.size.x)))
      origin.y = bounds.high.y
      guard isRow else {
        row.place(in: bounds, placement)
        continue
      }
      let isFirst = index == 0 || element.content[index - 1].view is any GroupOfRows
      let isLast = index + 1 == element.content.count || element.content[index + 1].view is any GroupOfRows
      if style.isInset { fillRow(bounds, isFirst, isLast, placement) }
      if !isFirst { fillLine(bounds, placement) }
      let inner = Bounds(low: bounds.low + insets, high: bounds.high - insets)
      let size = row.size(Proposal(width: max(0, inner.size.x), height: nil))
      row.place(in: inner.aligning(size, .leading), placement)
    }
  }

  /// Draws the background of a row, with round corners at the ends of a group.
  private func fillRow(_ bounds: Bounds, _ isFirst: Bool, _ isLast: Bool, _ placement: Placement) {
    let (top, bottom): (CGFloat, CGFloat) = (isFirst ? 10 : 0, isLast ? 10 : 0)
    let shape = UnevenRoundedRectangle(
      topLeadingRadius: top,
      bottomLeadingRadius: bottom,
      bottomTrailingRadius: bottom,
      topTrailingRadius: top
    )
    placement.fill(shape.path(in: bounds.rect).outline, .color(Color(white: 0.16)))
  }

  /// Draws the line above a row.
  private func fillLine(_ bounds: Bounds, _ placement: Placement) {
    let line = Bounds(
      low: bounds.low + Vector(insets.x, 0),
      high: Vector(bounds.high.x, bounds.low.y + 0.5)
    )
    placement.fill(.rectangle(line), .color(Color(white: 0.35)))
  }
}
