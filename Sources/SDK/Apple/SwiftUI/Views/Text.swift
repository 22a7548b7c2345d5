// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// A text of one or more lines; SwiftUI's name.
///
/// The text is drawn from left to right with one glyph per character: languages that join or reorder characters, such as Arabic
/// and Hindi, are not shaped. The fonts are DejaVu Sans and DejaVu Sans Mono, from the directory `Fonts` of the extension or from
/// the system.
public struct Text: View, BuiltInView, Arranged {
  /// The content of a text.
  private enum Content {
    case string(String)
    case date(Date, DateStyle)
  }

  private let content: Content
  private var changes: [@Sendable (inout ViewStyle) -> Void] = []

  /// Creates a text with a string, such as a part of another string.
  @_disfavoredOverload
  public init(_ content: some StringProtocol) { self.content = .string(String(content)) }

  /// Creates a text with a string, which is not localized.
  public init(_ content: String) { self.content = .string(content) }

  /// Creates a text with a string, as ``init(_:)``.
  public init(verbatim content: String) { self.content = .string(content) }

  /// Creates a text with a date.
  public init(_ date: Date, style: DateStyle) { content = .date(date, style) }

  /// The string at the current time.
  private var string: String {
    switch content {
    case .string(let string): string
    case .date(let date, let style): style.text(of: date, at: Date())
    }
  }

  package func update(_ node: ViewNode) throws {
    Compositor.attach(to: node.graph)
    FontFace.check(in: node.graph.session)
    guard case .date(let date, let style) = content, style.isRunning else { return }
    let share = abs(date.timeIntervalSinceNow).truncatingRemainder(dividingBy: 1)
    // The text changes when a whole number of seconds has passed.
    let rest = date < Date() ? 1 - share : share
    node.run(after: rest + 0.001) { [weak node] in node?.invalidate() }
  }

  private func changed(_ change: @escaping @Sendable (inout ViewStyle) -> Void) -> Text {
    var text = self
    text.changes.append(change)
    return text
  }

  /// Returns the text in another font.
  public func font(_ font: Font?) -> Text { changed { $0.font = font ?? .body } }

  /// Returns the text in bold.
  public func bold() -> Text { changed { $0.font = $0.font.bold() } }

  /// Returns the text in another weight.
  public func fontWeight(_ weight: Font.Weight?) -> Text {
    changed { $0.font = $0.font.weight(weight ?? .regular) }
  }

  /// Returns the text in another color or pattern.
  public func foregroundStyle(_ style: some ShapeStyle) -> Text {
    let paint = style.resolvedPaint
    return changed { $0.foreground = paint }
  }

  /// Returns the text in another color.
  public func foregroundColor(_ color: Color?) -> Text { foregroundStyle(color ?? .primary) }

  private func style(_ element: Element) -> ViewStyle {
    var style = element.environment?.style ?? ViewStyle()
    for change in changes { change(&style) }
    return style
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    TextBlock(string, style(element), width: proposal.width).size
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    draw(in: frame, style(element), placement)
  }

  /// Draws the text with a share of its size at a point.
  func draw(at point: Vector, anchor: Vector, _ style: ViewStyle, _ placement: Placement) {
    var style = style
    for change in changes { change(&style) }
    let size = TextBlock(string, style, width: nil).size
    draw(in: Bounds(at: point - size * anchor, size), style, placement)
  }

  private func draw(in frame: Bounds, _ style: ViewStyle, _ placement: Placement) {
    let block = TextBlock(string, style, width: frame.size.x)
    for (index, line) in block.lines.enumerated() {
      let free = frame.size.x - block.widths[index]
      let point = Vector(free * style.textAlignment.share, Double(index) * block.lineHeight + block.ascent)
      placement.draw(line, at: frame.low + point, style.contentPaint)
    }
  }
}

/// The lines of a text within a width.
@MainActor
struct TextBlock {
  private(set) var lines: [TextLine] = []
  private(set) var widths: [Double] = []
  /// The distance between baselines, in points.
  let lineHeight: Double
  /// The distance of the first baseline from the top, in points.
  let ascent: Double

  /// Divides a text at line ends, and at spaces where it exceeds `width`.
  init(_ text: String, _ style: ViewStyle, width: Double?) {
    let face = FontFace.face(for: style.font)
    ascent = (face?.ascent ?? 1) * Double(style.font.size)
    lineHeight = ((face?.ascent ?? 1) + (face?.descent ?? 0)) * Double(style.font.size)
    let limit = width ?? .infinity
    for paragraph in style.cased(text).split(separator: "\n", omittingEmptySubsequences: false) {
      add(String(paragraph), style.font, limit)
    }
    truncate(style, limit)
  }

  /// The size of the lines.
  var size: Vector { Vector(widths.max() ?? 0, lineHeight * Double(lines.count)) }

  private mutating func add(_ paragraph: String, _ font: Font, _ limit: Double) {
    let whole = TextLine(text: paragraph, font: font)
    // A text of exactly its own width must not wrap because of rounding.
    if whole.width <= limit + 0.01 { return append(whole) }
    var line = ""
    for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
      let longer = line.isEmpty ? String(word) : "\(line) \(word)"
      if !line.isEmpty, TextLine(text: longer, font: font).width > limit + 0.01 {
        append(TextLine(text: line, font: font))
        line = String(word)
      } else {
        line = longer
      }
    }
    append(TextLine(text: line, font: font))
  }

  private mutating func append(_ line: TextLine) {
    lines.append(line)
    widths.append(line.width)
  }

  /// Removes lines beyond the limit of the style, and shows an ellipsis in the last line.
  private mutating func truncate(_ style: ViewStyle, _ limit: Double) {
    guard let count = style.lineLimit, count > 0, lines.count > count else { return }
    var last = lines[count - 1].text
    lines.removeSubrange((count - 1)...)
    widths.removeSubrange((count - 1)...)
    while !last.isEmpty, TextLine(text: "\(last)…", font: style.font).width > limit { last.removeLast() }
    append(TextLine(text: "\(last)…", font: style.font))
  }
}

extension ViewStyle {
  /// Returns a text with the case of letters of the style.
  fileprivate func cased(_ text: String) -> String {
    switch textCase {
    case .uppercase: text.uppercased()
    case .lowercase: text.lowercased()
    case nil: text
    }
  }
}
