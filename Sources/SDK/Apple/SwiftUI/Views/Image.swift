// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A symbol; SwiftUI's name.
public struct Image: View, BuiltInView, Arranged {
  private let symbol: Symbol
  private var isResizable = false

  /// Creates a view of a symbol with one of Apple's names. A name that the library does not draw is drawn as a box.
  public init(systemName: String) { symbol = Symbol(systemName) }

  /// Makes the symbol fill the available space.
  public func resizable() -> Image {
    var image = self
    image.isResizable = true
    return image
  }

  package func update(_ node: ViewNode) throws { Compositor.attach(to: node.graph) }

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    let side = Double(element.environment?.style.font.size ?? 17) * 1.2
    return isResizable ? Vector(proposal.width ?? side, proposal.height ?? side) : Vector(repeating: side)
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    let paint = element.environment?.style.foreground ?? .color(.primary)
    let square = Transform(x: Vector(frame.size.x, 0), y: Vector(0, frame.size.y), origin: frame.low)
    placement.fill(symbol.outline.transformed(by: square), paint)
  }
}
