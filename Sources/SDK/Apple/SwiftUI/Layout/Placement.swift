// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// The result of a layout, in pixels.
@MainActor
final class Scene {
  /// The areas to draw, bottom area first.
  var items: [DrawItem] = []
  /// The areas that react to contacts, bottom area first.
  var regions: [ContactRegion] = []
  /// The views that are presented over the whole viewfinder.
  var presented: [Element] = []
  /// The drawings of overlays.
  var overlays: [SessionRuntime.Layer] = []
  /// Whether the frames of the camera are below the items.
  var hasViewfinder = false
  /// The parts that show frames of the camera, bottom part first.
  var frames: [FrameItem] = []
  /// The size of the viewfinder, which is that of the frames.
  let size: Vector

  /// Creates a scene of a viewfinder without content.
  init(size: Vector) { self.size = size }
}

/// The place and the appearance of content in the scene.
@MainActor
struct Placement {
  var scene: Scene
  /// From points of the content to pixels.
  var transform: Transform
  var opacity = 1.0
  /// The clipping outlines in pixels.
  var clips: [Outline] = []
  /// Whether contacts reach the content.
  var isEnabled = true
  /// The enclosing areas whose content moves with a contact, outermost area first.
  private var scrollRegions: [ContactRegion] = []

  init(scene: Scene, transform: Transform) { (self.scene, self.transform) = (scene, transform) }

  /// Fills an outline.
  func fill(_ outline: Outline, _ paint: Paint) {
    let outline = outline.transformed(by: transform)
    guard let frame = outline.bounds else { return }
    add(.outline(outline), paint.transformed(by: transform), frame)
  }

  /// Draws a line of text with the left end of its baseline at a point.
  func draw(_ line: TextLine, at point: Vector, _ paint: Paint) {
    let transform = transform.after(.translation(point))
    guard let frame = Outline.rectangle(line.frame).transformed(by: transform).bounds else { return }
    add(.text(line, transform), paint.transformed(by: transform), frame)
  }

  /// Draws an image in a rectangle.
  func draw(_ bitmap: Bitmap, in frame: Bounds) {
    let square = Transform(x: Vector(frame.size.x, 0), y: Vector(0, frame.size.y), origin: frame.low)
    let transform = transform.after(square)
    guard let bounds = Outline.unitSquare.transformed(by: transform).bounds else { return }
    add(.image(bitmap, transform), .color(.clear), bounds)
  }

  private func add(_ area: DrawItem.Area, _ paint: Paint, _ frame: Bounds) {
    guard opacity > 0, paint != .color(.clear) || area.isImage else { return }
    scene.items.append(DrawItem(area: area, paint: paint, frame: frame, opacity: opacity, clips: clips))
  }

  /// Makes a frame react to contacts.
  func addRegion(_ frame: Bounds, of node: ViewNode, _ recognizer: any ContactRecognizer) {
    if let region = region(frame, of: node, recognizer) { scene.regions.append(region) }
  }

  /// Makes a frame react to contacts, and to moving contacts in its content.
  mutating func addScrollRegion(_ frame: Bounds, of node: ViewNode, _ recognizer: any ContactRecognizer) {
    guard let region = region(frame, of: node, recognizer) else { return }
    scene.regions.append(region)
    scrollRegions.append(region)
  }

  private func region(_ frame: Bounds, of node: ViewNode, _ recognizer: any ContactRecognizer)
    -> ContactRegion?
  {
    guard isEnabled, let inverse = transform.inverse else { return nil }
    return ContactRegion(
      frame: frame,
      toContent: inverse,
      node: node,
      recognizer: recognizer,
      enclosing: scrollRegions
    )
  }
}

extension DrawItem.Area {
  /// Whether the area has its own colors.
  fileprivate var isImage: Bool { if case .image = self { true } else { false } }
}
