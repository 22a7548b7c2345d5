// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture
public import UIKit

/// A symbol, the image of a file, or an image in memory; SwiftUI's name.
public struct Image: View, BuiltInView, Arranged {
  private enum Content {
    case symbol(Symbol)
    case file(String)
    case memory(UIImage)
  }

  private let content: Content
  private var isResizable = false

  /// Creates a view of a symbol with one of Apple's names. A name that the library does not draw is drawn as a box.
  public init(systemName: String) { content = .symbol(Symbol(systemName)) }

  /// Creates a view of the JPEG or PNG file with a name in the extension's bundle; the extension `.png` may be left out.
  ///
  /// A file that cannot be read is logged once and drawn as a box.
  public init(_ name: String) { content = .file(name) }

  /// Creates a view of the JPEG or PNG file with a name in the extension's bundle, as ``init(_:)`` does.
  public init(decorative name: String) { self.init(name) }

  /// Creates a view of an image in memory.
  public init(uiImage: UIImage) { content = .memory(uiImage) }

  /// Makes the image fill the available space.
  public func resizable() -> Image {
    var image = self
    image.isResizable = true
    return image
  }

  package func update(_ node: ViewNode) throws {
    Compositor.attach(to: node.graph)
    if case .file(let name) = content { try ImageFiles.load(name, in: node.graph.session) }
  }

  /// The pixels of the image, or `nil` for a symbol and for a file that cannot be read.
  private var bitmap: Bitmap? {
    switch content {
    case .symbol: nil
    case .file(let name): ImageFiles.bitmap(name)
    case .memory(let image): image.drawing.object(Bitmap.self) { Bitmap(image.pixels) }
    }
  }

  /// The number of pixels per point.
  private var scale: Double { if case .memory(let image) = content { Double(image.scale) } else { 1 } }

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    let style = element.environment?.style ?? ViewStyle()
    let side = Double(style.font.size) * 1.2 * style.imageScale
    let ideal = bitmap.map { Vector(Double($0.width), Double($0.height)) / scale } ?? Vector(repeating: side)
    return isResizable ? Vector(proposal.width ?? ideal.x, proposal.height ?? ideal.y) : ideal
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    draw(in: frame, element.environment?.style ?? ViewStyle(), placement)
  }

  /// Draws the image in a rectangle.
  func draw(in frame: Bounds, _ style: ViewStyle, _ placement: Placement) {
    if let bitmap { return placement.draw(bitmap, in: frame) }
    let paint = style.contentPaint
    let square = Transform(x: Vector(frame.size.x, 0), y: Vector(0, frame.size.y), origin: frame.low)
    placement.fill(outline.transformed(by: square), paint)
  }

  private var outline: Outline {
    if case .symbol(let symbol) = content { symbol.outline } else { Symbol.box() }
  }
}
