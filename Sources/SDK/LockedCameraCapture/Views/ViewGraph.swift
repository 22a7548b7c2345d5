// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
@_spi(SwiftUI) internal import Observation

/// The trees of views that a session shows, and their pending evaluations.
@MainActor
package final class ViewGraph {
  /// The session that shows the views.
  package unowned let session: LockedCameraCaptureSession
  let runtime: SessionRuntime
  /// The clock of the animations and gestures.
  package var clock: SessionClock { runtime.clock }
  /// The main views, bottom view first.
  package private(set) var roots: [ViewNode] = []
  /// Whether the layers must be collected again.
  package var needsLayers = false
  /// The module that arranges the views and draws them, or `nil` if only ``Viewfinder`` and ``Overlay`` draw.
  package var compositor: (any ViewCompositor)?
  /// The views that read the environment.
  let environmentReaders = Dependents()
  private var invalidNodes: [ViewNode] = []
  private var watchingNodes: [ViewNode] = []
  /// Whether a scene is being presented, so that errors prevent its presentation.
  private var isPresenting = false
  /// The node whose body is being evaluated.
  static private(set) var evaluating: ViewNode?

  /// The course with which the current changes become visible, a value of the module `SwiftUI`, or `nil` to show them at once.
  ///
  /// A view that a change invalidates keeps the value for its evaluation.
  package static var animation: (any Sendable)?
  /// Whether views move, so that they are arranged again for the next frame.
  private var areViewsMoving = false

  /// The maximum number of passes after one event, which ends a cycle of views that change each other.
  private static let maximumPasses = 32

  init(_ session: LockedCameraCaptureSession) {
    self.session = session
    runtime = session.runtime
  }

  /// The size of the viewfinder in pixels, or `nil` if the host shows none.
  package var viewfinderSize: (width: Int, height: Int)? { session.viewfinderSize }

  /// Shows a main view above the current ones.
  ///
  /// - Throws: The first error of a view, or the refusal of a request that a view requires.
  func present(_ view: some CaptureView) throws {
    let environment = EnvironmentScope(self)
    let root = ViewNode(view, key: roots.count, depth: 0, in: environment, of: self)
    roots.append(root)
    needsLayers = true
    isPresenting = true
    defer { isPresenting = false }
    try root.evaluate()
    try runtime.awaitSceneReplies()
    updateLayers()
  }

  /// Releases the views at the end of the session.
  func close() {
    for node in roots { node.close() }
    (roots, invalidNodes, watchingNodes) = ([], [], [])
  }

  /// Runs `body`; logs its error unless a scene is being presented.
  ///
  /// - Throws: The error, if a scene is being presented.
  package func attempt(_ body: () throws -> Void) throws {
    do { try body() } catch {
      if isPresenting { throw error }
      runtime.report(error)
    }
  }

  /// Calls `body`, and evaluates `node` again when a value changes that `body` reads.
  func tracking<Result>(_ node: ViewNode, _ body: () -> Result) -> Result {
    let enclosing = Self.evaluating
    Self.evaluating = node
    defer { Self.evaluating = enclosing }
    // The value may change on another thread. The tracking of the former evaluation is therefore cancelled only when that of
    // this evaluation is active.
    let former = node.trackingEnd
    defer { former?.announce() }
    let end = TrackingEnd()
    node.trackingEnd = end
    // A closure for `onChange` is called before the change, so that the evaluation could precede a change on another thread.
    return withObservationTracking(
      {
        end.observe()
        return body()
      },
      didSet: { [weak node, weak end] tracking in
        MainThread.perform {
          guard let node, !node.isRemoved else { return tracking.cancel() }
          if let announced = TrackingEnd.announced {
            if announced === end { tracking.cancel() }
            return
          }
          // A body that changes a value that it reads must not invalidate its own view without end.
          guard Self.evaluating !== node else { return }
          node.invalidate()
        }
      }
    )
  }

  /// Evaluates `node` after the current event.
  func invalidate(_ node: ViewNode) {
    guard !node.isRemoved else { return }
    if let animation = Self.animation { node.animation = animation }
    guard !node.isInvalid else { return }
    node.isInvalid = true
    invalidNodes.append(node)
  }

  /// Arranges and draws the views again after the current event; it may be called on any thread.
  package nonisolated func invalidateLayers() {
    MainThread.perform { [weak self] in self?.needsLayers = true }
  }

  /// Makes `node` check its observed values after each event.
  func watch(_ node: ViewNode, _ check: @escaping () throws -> Void) {
    if node.watcher == nil { watchingNodes.append(node) }
    node.watcher = check
  }

  /// Drops the references to a node that leaves the tree.
  func forget(_ node: ViewNode) {
    if node.watcher != nil { watchingNodes.removeAll { $0 === node } }
  }

  /// Evaluates the views that have changed, then checks the observed values, until nothing changes.
  ///
  /// The session calls it after each event.
  func update() {
    guard !roots.isEmpty else { return }
    evaluateInvalidNodes()
    for node in watchingNodes where !node.isRemoved { if let check = node.watcher { runtime.attempt(check) } }
    evaluateInvalidNodes()
    runtime.attempt { try runtime.awaitSceneReplies() }
    updateLayers()
  }

  private func evaluateInvalidNodes() {
    for _ in 0..<Self.maximumPasses where !invalidNodes.isEmpty {
      let nodes = invalidNodes
      invalidNodes = []
      // An enclosing view may evaluate or remove the nodes in it.
      for node in nodes.sorted(by: { $0.depth < $1.depth }) where node.isInvalid && !node.isRemoved {
        runtime.attempt { try node.evaluate() }
        needsLayers = true
      }
    }
  }

  /// Collects the layers and the handlers of all views, if the tree has changed.
  ///
  /// The layout may invalidate views that depend on their size.
  private func updateLayers() {
    for _ in 0..<Self.maximumPasses where needsLayers {
      needsLayers = false
      collectHandlers()
      if let layers = compositor.map({ $0.layers(of: roots) }) ?? Self.layers(of: roots) {
        runtime.layers = layers
        runtime.attempt(runtime.showWithoutCamera)
      }
      evaluateInvalidNodes()
    }
  }

  /// Arranges the views again for the next frame of the camera, or after a thirtieth of a second if the camera is off.
  package func arrangeForNextFrame() {
    areViewsMoving = true
    // A camera that delivers no frames must not stop the views.
    let wait: UInt64 = runtime.delivery == nil ? 33_000_000 : 200_000_000
    runtime.alarms[Alarm.Key(self, "motion")] = Alarm(due: clock.now + wait) { [weak self] in
      self?.needsLayers = true
    }
  }

  /// Arranges the views that move, before a frame is drawn.
  func prepareFrame() {
    guard areViewsMoving else { return }
    (areViewsMoving, needsLayers) = (false, true)
    runtime.alarms[Alarm.Key(self, "motion")] = nil
    updateLayers()
  }

  private func collectHandlers() {
    (runtime.handlers.viewFrames, runtime.handlers.viewPointers) = ([], [])
    visit { node in
      if let handler = node.frameHandler { runtime.handlers.viewFrames.append(handler) }
      if let handler = node.pointerHandler { runtime.handlers.viewPointers.append(handler) }
    }
  }

  /// Returns the layers of views in the order in which they are drawn.
  private static func layers(of roots: [ViewNode]) -> [SessionRuntime.Layer] {
    var layers: [SessionRuntime.Layer] = []
    for root in roots { root.visit { if let layer = $0.layer { layers.append(layer) } } }
    return layers
  }

  /// The actions of the views before the session ends, including those of views that disappear.
  var dismissals: [(DismissalReason, Double) throws -> Void] {
    var actions: [(DismissalReason, Double) throws -> Void] = []
    visit { node in
      if let action = node.dismissal { actions.append(action) }
      guard let action = node.disappearance else { return }
      actions.append { [weak node] _, _ in
        node?.disappearance = nil
        try action()
      }
    }
    return actions
  }

  /// The asynchronous actions of the views before the session ends.
  var asynchronousDismissals: [@MainActor (DismissalReason, Double) async throws -> Void] {
    var actions: [@MainActor (DismissalReason, Double) async throws -> Void] = []
    visit { if let action = $0.asynchronousDismissal { actions.append(action) } }
    return actions
  }

  /// Calls `body` with all nodes, in the order in which they are drawn.
  func visit(_ body: (ViewNode) -> Void) { for root in roots { root.visit(body) } }
}

/// A module that arranges views in the viewfinder, and draws them.
@MainActor
package protocol ViewCompositor: AnyObject {
  /// Returns the layers that draw the trees, bottom layer first, or `nil` if the picture has not changed; called after an
  /// evaluation.
  func layers(of roots: [ViewNode]) -> [SessionRuntime.Layer]?
}

/// A value that an evaluation reads, and whose change cancels the tracking of the values that the evaluation has read.
///
/// The module Observation passes a tracking only to the handler of a change.
@MainActor
final class TrackingEnd: Observable {
  /// The end that changes, so that the handlers tell it from the values of views.
  fileprivate static var announced: TrackingEnd?
  private let registrar = ObservationRegistrar()
  private var isReached: Bool { true }

  /// Reads the value.
  func observe() { registrar.access(self, keyPath: \.isReached) }

  /// Changes the value.
  func announce() {
    Self.announced = self
    defer { Self.announced = nil }
    registrar.withMutation(of: self, keyPath: \.isReached) {}
  }
}
