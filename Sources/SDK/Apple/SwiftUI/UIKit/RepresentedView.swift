// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LockedCameraCapture
internal import UIKit

/// The creation and the updates of an object of UIKit for a view.
@MainActor
protocol RepresentedSource {
  /// The type of the object.
  associatedtype Object
  /// The type of its coordinator.
  associatedtype Coordinator

  func makeCoordinator() -> Coordinator
  func make(_ context: RepresentedContext<Coordinator>) -> Object
  func update(_ object: Object, _ context: RepresentedContext<Coordinator>)
  static func dismantle(_ object: Object, _ coordinator: Coordinator)
  static func content(of object: Object) -> RepresentedContent
}

/// The parts of the context of a call.
struct RepresentedContext<Coordinator> {
  let coordinator: Coordinator
  let environment: EnvironmentValues
}

/// The content of an object of UIKit.
enum RepresentedContent {
  /// A view.
  case view(UIView)
  /// The view of a view controller.
  case controller(UIViewController)
  /// A viewfinder with a picture for each press of a capture button.
  case picker(UIImagePickerController)
}

/// A view that shows an object of UIKit.
struct RepresentedView<Source: RepresentedSource>: BuiltInView, Arranged {
  let source: Source

  func update(_ node: ViewNode) throws {
    Compositor.attach(to: node.graph)
    let represented = node.storage as? RepresentedObject<Source> ?? create(in: node)
    node.tracking {
      let context = RepresentedContext(
        coordinator: represented.coordinator,
        environment: node.environment.values
      )
      source.update(represented.object, context)
    }
    represented.host?.appear()
    if case .picker(let picker) = represented.content { try node.setChild(Self.interface(of: picker)) }
  }

  /// Returns a viewfinder with a picture for each press of a capture button.
  private static func interface(of picker: UIImagePickerController) -> some View {
    Viewfinder().onCameraCaptureEvent { event in
      // A cancelled press takes no picture.
      if event.phase == .ended { picker.takePicture() }
    }
  }

  /// Creates the object when the view enters the tree.
  private func create(in node: ViewNode) -> RepresentedObject<Source> {
    let represented = RepresentedObject(source, node)
    node.storage = represented
    node.detachment = {
      represented.host?.disappear()
      Source.dismantle(represented.object, represented.coordinator)
    }
    return represented
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector {
    guard let size = host(of: element)?.view.intrinsicContentSize else {
      return element.onlyContent.size(proposal)
    }
    let filled = proposal.filled
    return Vector(size.width < 0 ? filled.x : size.width, size.height < 0 ? filled.y : size.height)
  }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    guard let view = host(of: element)?.view else { return element.onlyContent.place(in: frame, placement) }
    view.frame = CGRect(x: 0, y: 0, width: frame.size.x, height: frame.size.y)
    view.layoutIfNeeded()
    placement.draw(view.layer, at: frame.low)
  }

  private func host(of element: Element) -> ViewHost? {
    (element.node?.storage as? RepresentedObject<Source>)?.host
  }
}

/// An object of UIKit at a place in the tree.
@MainActor
private final class RepresentedObject<Source: RepresentedSource> {
  let coordinator: Source.Coordinator
  let object: Source.Object
  let content: RepresentedContent
  /// The owner of the view, or `nil` for a picker.
  let host: ViewHost?

  init(_ source: Source, _ node: ViewNode) {
    coordinator = source.makeCoordinator()
    let environment = node.environment.values
    object = source.make(RepresentedContext(coordinator: coordinator, environment: environment))
    content = Source.content(of: object)
    host =
      switch content {
      case .view(let view): ViewHost(view, nil, node.graph)
      case .controller(let controller): ViewHost(controller.view, controller, node.graph)
      case .picker: nil
      }
  }
}
