// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import QuartzCore

extension Placement {
  /// Draws a layer of UIKit and the layers in it, with the upper left corner at a point.
  func draw(_ layer: CALayer, at corner: Vector) {
    let look = layer.look
    guard !look.isHidden else { return }
    var placement = self
    placement.opacity *= Double(look.opacity)
    // The layers in a layer are in the coordinates of its bounds.
    let bounds = layer.bounds
    placement.transform = transform.after(.translation(corner - Vector(bounds.origin)))
    let shape = Path(roundedRect: bounds, cornerRadius: look.cornerRadius)
    if let color = look.backgroundColor { placement.fill(shape.outline, .color(Color(color))) }
    var content = placement
    if look.masksToBounds { content.clips.append(shape.outline.transformed(by: placement.transform)) }
    if let layer = layer as? any FrameLayer { content.drawFrames(of: layer) }
    for sublayer in layer.sublayers ?? [] { content.draw(sublayer, at: Vector(sublayer.frame.origin)) }
    placement.drawBorder(of: look, in: bounds)
  }

  private func drawBorder(of look: LayerLook, in bounds: CGRect) {
    guard look.borderWidth > 0, let color = look.borderColor else { return }
    let inset = look.borderWidth / 2
    let line = Path(
      roundedRect: bounds.insetBy(dx: inset, dy: inset),
      cornerRadius: max(0, look.cornerRadius - inset)
    )
    fill(line.stroked(StrokeStyle(lineWidth: look.borderWidth)), .color(Color(color)))
  }

  /// Shows the frames of the camera in a layer.
  ///
  /// The frames are drawn below the picture of the interface, which is transparent where they are visible.
  private func drawFrames(of layer: any FrameLayer) {
    let size = scene.size
    guard let fit = layer.frameFit(width: Int(size.x), height: Int(size.y)), let inverse = transform.inverse
    else { return }
    let visible = Outline.rectangle(Bounds(fit.content.intersection(layer.bounds)))
    guard let edge = visible.transformed(by: transform).bounds else { return }
    let area = PixelArea(edge, within: (Int(size.x), Int(size.y)))
    guard !area.isEmpty else { return }
    let toFrame = Transform.scale(size).after(Transform(fit)).after(inverse)
    scene.frames.append(FrameItem(layer, toFrame, area, clips: clips))
    // Where clipping or opacity leaves a gap in front of the frames, the lowest item hides them.
    let base = Outline.rectangle(Bounds(area))
    guard let frame = base.bounds else { return }
    scene.items.insert(
      DrawItem(area: .outline(base), paint: .color(.black), frame: frame, opacity: 1, clips: []),
      at: 0
    )
    fill(visible, .cameraFrame)
  }
}

extension Transform {
  /// Creates the transform from points of a layer to the unit square over the frame.
  fileprivate init(_ fit: FrameFit) {
    let origin = Vector(fit.framePoint(at: .zero))
    self.init(
      x: Vector(fit.framePoint(at: CGPoint(x: 1, y: 0))) - origin,
      y: Vector(fit.framePoint(at: CGPoint(x: 0, y: 1))) - origin,
      origin: origin
    )
  }
}

extension Bounds {
  /// Creates the rectangle of an area of pixels.
  fileprivate init(_ area: PixelArea) {
    self.init(
      low: Vector(Double(area.columns.lowerBound), Double(area.rows.lowerBound)),
      high: Vector(Double(area.columns.upperBound), Double(area.rows.upperBound))
    )
  }
}

extension Color {
  /// Creates a color from a value of Core Graphics.
  init(_ color: CGColor) {
    let values = color.values
    self.init(red: values.x, green: values.y, blue: values.z, opacity: values.w)
  }
}
