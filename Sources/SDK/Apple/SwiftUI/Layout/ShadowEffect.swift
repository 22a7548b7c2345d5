// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LockedCameraCapture

/// A blurred copy of a view behind the view.
struct ShadowEffect: LayoutEffect {
  let color: Color
  /// The distance in points over which an edge is blurred to each side.
  let radius: Double
  /// The distance of the shadow from the view, in points.
  let distance: Vector

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    let first = placement.scene.items.count
    content.place(in: frame, placement)
    // A viewfinder in the content removes all items below it.
    guard first <= placement.scene.items.count else { return }
    let transform = placement.transform
    let offset = transform.apply(distance) - transform.origin
    // The product may be infinite or not a number.
    let blur = min(200, max(0, radius * transform.scale)).rounded()
    let shadows = placement.scene.items[first...].map {
      $0.shadow(color, blur: blur, offset)
    }
    placement.scene.items.insert(contentsOf: shadows, at: first)
  }
}

extension DrawItem {
  /// Returns the shadow of the item, at a distance in pixels.
  func shadow(_ color: Color, blur: Double, _ offset: Vector) -> DrawItem {
    let margin = Vector(repeating: blur)
    return DrawItem(
      area: area.moved(by: offset),
      paint: .color(color),
      frame: Bounds(low: frame.low + offset - margin, high: frame.high + offset + margin),
      opacity: opacity,
      clips: clips,
      blur: Int(blur)
    )
  }
}

extension DrawItem.Area {
  /// Returns the area at a distance in pixels; the rectangle of an image.
  fileprivate func moved(by offset: Vector) -> DrawItem.Area {
    let move = Transform.translation(offset)
    return switch self {
    case .outline(let outline): .outline(outline.transformed(by: move))
    case .text(let line, let transform): .text(line, move.after(transform))
    case .image(_, let transform): .outline(Outline.unitSquare.transformed(by: move.after(transform)))
    }
  }
}
