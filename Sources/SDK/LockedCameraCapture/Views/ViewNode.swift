// SPDX-License-Identifier: Apache-2.0

/// The place of a view in the tree that a session shows.
///
/// A body creates new view values at each evaluation. The node lives as long as a view of the same type is at the same place,
/// and owns what the view needs meanwhile: the view itself, the storage of its properties, and its children.
@MainActor
package final class ViewNode {
  /// The graph that evaluates the view.
  package let graph: ViewGraph
  /// The view with the values of the last evaluation.
  package private(set) var view: any CaptureView
  /// The environment of the view.
  package private(set) var environment: EnvironmentScope
  /// The nodes of the view's content, bottom view first.
  package private(set) var children: [ViewNode] = []
  /// The number of enclosing nodes.
  let depth: Int
  /// The identity among the children of the enclosing node.
  let key: AnyHashable
  /// The storage of the properties of the view, in their order in its declaration.
  private var propertyStorage: [AnyObject] = []
  private var boundProperties = 0
  /// The object in which a built-in view keeps its state between evaluations.
  package var storage: AnyObject?
  /// Whether the view has left the tree.
  package private(set) var isRemoved = false
  /// Whether the node waits for an evaluation.
  var isInvalid = false
  /// The course with which the next evaluation shows its changes, or `nil` for that of the enclosing view.
  var animation: (any Sendable)?
  /// The drawing of the view, above the children before it.
  package var layer: SessionRuntime.Layer?
  /// The tracking of the values that the last evaluation has read.
  var trackingEnd: TrackingEnd?
  /// The handler of the view for the frames of the camera.
  var frameHandler: SessionHandlers.Frame?
  /// The handler of the view for contacts with the viewfinder.
  var pointerHandler: SessionHandlers.PointerHandler?
  /// The check that runs after each event of the session.
  var watcher: (() throws -> Void)?
  /// The end of the view's behavior, when the view leaves the tree.
  package var detachment: (() -> Void)?
  /// The action of the view when it leaves the tree or the session ends.
  package var disappearance: (() throws -> Void)?
  /// The action of the view before the session ends.
  var dismissal: ((DismissalReason, Double) throws -> Void)?
  /// The asynchronous action of the view before the session ends.
  var asynchronousDismissal: (@MainActor (DismissalReason, Double) async throws -> Void)?

  init(
    _ view: any CaptureView,
    key: AnyHashable,
    depth: Int,
    in environment: EnvironmentScope,
    of graph: ViewGraph
  ) {
    self.view = view
    self.key = key
    self.depth = depth
    self.environment = environment
    self.graph = graph
  }

  /// Evaluates a new value of the view and its content.
  ///
  /// - Throws: The first error of a view, if the scene is being presented; later errors are logged.
  func update(_ view: any CaptureView, in environment: EnvironmentScope) throws {
    self.view = view
    self.environment = environment
    try evaluate()
  }

  /// Evaluates the view and its content.
  func evaluate() throws {
    isInvalid = false
    let enclosing = ViewGraph.animation
    defer { ViewGraph.animation = enclosing }
    if let animation { ViewGraph.animation = animation }
    animation = nil
    if let view = view as? any BuiltInView { return try view.update(self) }
    try evaluate(view)
  }

  private func evaluate(_ view: some CaptureView) throws {
    boundProperties = 0
    bindProperties(of: view)
    try setChild(tracking { view.body })
  }

  /// Calls `body` and evaluates this node again when a value changes that `body` reads.
  package func tracking<Result>(_ body: () -> Result) -> Result { graph.tracking(self, body) }

  /// Makes the graph evaluate the view again after the current event.
  package func invalidate() { graph.invalidate(self) }

  /// Calls `action` in the main actor after some seconds, instead of an earlier action of the same timer, unless the view leaves
  /// the tree before.
  package func run(after seconds: Double, timer: Int = 0, _ action: @escaping () -> Void) {
    // A longer time, such as infinity, does not fit into nanoseconds.
    let due = graph.clock.now + UInt64(min(max(0, seconds), 1_000_000_000) * 1_000_000_000)
    graph.runtime.alarms[Alarm.Key(self, timer)] = Alarm(due: due) { [weak self] in
      if self?.isRemoved == false { action() }
    }
  }

  /// Cancels the action of a timer of ``run(after:timer:_:)``.
  package func cancelRun(timer: Int = 0) { graph.runtime.alarms[Alarm.Key(self, timer)] = nil }

  /// Connects the dynamic properties of a value to this node.
  private func bindProperties(of value: Any) {
    for child in Mirror(reflecting: value).children {
      if let property = child.value as? any BoundProperty {
        property.bind(to: self)
      } else if child.value is any DynamicProperty {
        bindProperties(of: child.value)
      }
    }
  }

  /// Returns the storage of the next property: the one of an earlier evaluation, or `initial`.
  package func nextPropertyStorage<Storage: AnyObject>(_ initial: @autoclosure () -> Storage) -> Storage {
    defer { boundProperties += 1 }
    if boundProperties < propertyStorage.count, let storage = propertyStorage[boundProperties] as? Storage {
      return storage
    }
    let storage = initial()
    propertyStorage.append(storage)
    return storage
  }

  /// Replaces the content of the view with one view.
  package func setChild(
    _ view: any CaptureView,
    key: AnyHashable = 0,
    environment: EnvironmentScope? = nil
  ) throws {
    try setChildren([(key, view)], environment: environment)
  }

  /// Replaces the content of the view.
  ///
  /// A child with the key and the type of a current child continues it. All other current children are removed.
  ///
  /// - Parameters:
  ///   - views: The views with their keys, which are unique, bottom view first.
  ///   - environment: The environment of the views, or `nil` for that of this view.
  /// - Throws: The first error of a view, if the scene is being presented; later errors are logged.
  package func setChildren(
    _ views: [(key: AnyHashable, view: any CaptureView)],
    environment: EnvironmentScope? = nil
  ) throws {
    let environment = environment ?? self.environment
    var former = children
    children = views.map { key, view in
      let index = former.firstIndex { $0.key == key && type(of: $0.view) == type(of: view) }
      return index.map { former.remove(at: $0) }
        ?? ViewNode(view, key: key, depth: depth + 1, in: environment, of: graph)
    }
    graph.needsLayers = true
    for node in former { node.remove() }
    for (node, (_, view)) in zip(children, views) {
      try graph.attempt { try node.update(view, in: environment) }
    }
  }

  /// Removes the view and its content from the tree, content first.
  private func remove() {
    for child in children { child.remove() }
    isRemoved = true
    cancelRun()
    cancelRun(timer: 1)
    trackingEnd?.announce()
    graph.forget(self)
    detachment?()
    if let disappearance { graph.runtime.attempt(disappearance) }
    (detachment, disappearance) = (nil, nil)
    storage = nil
  }

  /// Releases what the behavior of the view refers to, content first.
  func close() {
    for child in children { child.close() }
    (children, storage, detachment, disappearance) = ([], nil, nil, nil)
    (layer, frameHandler, pointerHandler, watcher) = (nil, nil, nil, nil)
    (dismissal, asynchronousDismissal) = (nil, nil)
  }

  /// Calls `body` with this node and all nodes of its content, in the order in which they are drawn.
  func visit(_ body: (ViewNode) -> Void) {
    for child in children { child.visit(body) }
    body(self)
  }
}
