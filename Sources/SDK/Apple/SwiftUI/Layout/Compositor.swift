// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture
internal import UIKit

/// The layout and the drawing of the views of one session.
///
/// The layout has 390 points along the shorter side of the viewfinder, as the interface of an iPhone.
@MainActor
final class Compositor: ViewCompositor {
  private unowned let graph: ViewGraph
  private let picture: OverlayPicture
  private let contacts = ContactRouter()
  /// The time of the layout.
  let clock: AnimationClock
  /// The views that have left the tree, and are still drawn.
  var leaving: [Transition] = []
  /// The frames of views that share an identity.
  let matchedFrames = MatchedFrames()
  /// Whether the last layout had a viewfinder, or `nil` before the first layout.
  private var hasViewfinder: Bool?
  /// The parts of the viewfinder that showed frames in the last layout.
  private var frames: [FrameItem] = []
  /// Whether the session receives contacts.
  private var receivesContacts = false

  /// Creates a compositor for a graph whose viewfinder has a size in pixels.
  private init(_ graph: ViewGraph, width: Int, height: Int) {
    self.graph = graph
    clock = AnimationClock(graph.clock)
    picture = OverlayPicture(width: width, height: height)
  }

  /// Makes a compositor arrange the views of a graph, unless there is one or the session has no viewfinder.
  static func attach(to graph: ViewGraph) {
    guard graph.compositor == nil, let size = graph.viewfinderSize else { return }
    graph.compositor = Compositor(graph, width: size.width, height: size.height)
  }

  func layers(of roots: [ViewNode]) -> [SessionRuntime.Layer]? {
    clock.startLayout()
    matchedFrames.startLayout()
    let scene = scene(of: roots)
    if clock.isRunning { graph.arrangeForNextFrame() }
    contacts.regions = scene.regions
    if !scene.regions.isEmpty { receiveContacts() }
    let isPictureChanged = picture.show(scene.items) != nil
    let isChanged = isPictureChanged || scene.hasViewfinder != hasViewfinder || scene.frames != frames
    // Overlays are closures, which cannot be compared.
    guard isChanged || !scene.overlays.isEmpty else { return nil }
    (hasViewfinder, frames) = (scene.hasViewfinder, scene.frames)
    let picture = picture
    let background: SessionRuntime.Layer =
      scene.hasViewfinder ? .cameraFrame : .drawing { $0.fill(nil, .black) }
    let parts = scene.frames.map { SessionRuntime.Layer.framePart($0) }
    return [background] + parts + scene.overlays + [.drawing { picture.planes.blend(over: &$0) }]
  }

  /// Receives contacts from now on; a session without views that react to contacts does not.
  private func receiveContacts() {
    guard !receivesContacts else { return }
    receivesContacts = true
    graph.session.onPointerEvent { [contacts] event in
      let position = Vector(event.x, event.y)
      contacts.handle(
        ContactUpdate.Phase(event.phase),
        at: position,
        contact: event.contact,
        time: event.timestamp
      )
    }
  }

  /// Returns the arranged views.
  private func scene(of roots: [ViewNode]) -> Scene {
    let size = Vector(Double(picture.width), Double(picture.height))
    let scene = Scene(size: size)
    let scale = size.min() / UIScreen.shorterSide
    let placement = Placement(scene: scene, transform: .scale(Vector(repeating: scale)))
    let frame = Bounds(low: Vector(0, 0), high: size / scale)
    for root in roots {
      Element.layering(Element.elements(root)).place(in: frame, aligned: .center, placement)
    }
    // A presented view may present another one.
    var count = 0
    while count < scene.presented.count {
      scene.presented[count].place(in: frame, aligned: .center, placement)
      count += 1
    }
    leaving.removeAll { !$0.placeLeaving(in: scene) }
    return scene
  }
}
