// SPDX-License-Identifier: Apache-2.0

/// A view with a behavior that starts when the view enters the tree.
struct BehaviorView<Base: CaptureView>: BuiltInView {
  let base: Base
  /// Starts or updates the behavior after each evaluation of `base`; `isFirst` is true for the first evaluation.
  let apply: @MainActor (_ node: ViewNode, _ isFirst: Bool) throws -> Void

  init(_ base: Base, _ apply: @escaping @MainActor (_ node: ViewNode, _ isFirst: Bool) throws -> Void) {
    self.base = base
    self.apply = apply
  }

  func update(_ node: ViewNode) throws {
    let isFirst = node.children.isEmpty
    try node.setChild(base)
    try apply(node, isFirst)
  }
}

extension CaptureView {
  /// Calls `action` in the main actor before the session ends.
  ///
  /// - Parameter action: Receives the reason and the remaining time in seconds. Errors that it throws are
  ///   logged.
  /// - Returns: The view with the action.
  public func onDismissal(_ action: @escaping (DismissalReason, Double) throws -> Void) -> some CaptureView {
    BehaviorView(self) { node, _ in node.dismissal = action }
  }

  /// Calls an asynchronous `action` before the session ends, and waits until it returns.
  ///
  /// - Parameter action: Receives the reason and the remaining time in seconds. Errors that it throws are
  ///   logged.
  /// - Returns: The view with the action.
  public func onDismissal(
    _ action: @escaping @MainActor (DismissalReason, Double) async throws -> Void
  ) -> some CaptureView {
    BehaviorView(self) { node, _ in node.asynchronousDismissal = action }
  }

  /// Calls `action` when the view enters the tree: before the session handles any event, or after the event that has added
  /// the view.
  ///
  /// - Parameter action: The action. If it throws before the session handles any event, the scene is not shown; later errors
  ///   are logged.
  /// - Returns: The view with the action.
  public func onAppear(perform action: @escaping () throws -> Void) -> some CaptureView {
    BehaviorView(self) { node, isFirst in
      guard isFirst else { return }
      // The requests of the views below must have succeeded before the action runs.
      try node.graph.runtime.awaitSceneReplies()
      try action()
    }
  }

  /// Calls `action` once, when the view leaves the tree or the session is being dismissed.
  ///
  /// Errors that `action` throws are logged.
  public func onDisappear(perform action: @escaping () throws -> Void) -> some CaptureView {
    BehaviorView(self) { node, _ in node.disappearance = action }
  }

  /// Starts a task of the main actor when the view enters the tree, and cancels the task when the view leaves the tree.
  ///
  /// Errors that it throws are logged, except `CancellationError`.
  public func task(_ action: @escaping @MainActor () async throws -> Void) -> some CaptureView {
    task(id: 0, action)
  }

  /// Starts a task of the main actor when the view enters the tree and whenever `id` changes.
  ///
  /// The task is canceled when `id` changes or the view leaves the tree. Errors that it throws are logged, except
  /// `CancellationError`.
  public func task<ID: Equatable>(
    id: ID,
    _ action: @escaping @MainActor () async throws -> Void
  ) -> some CaptureView {
    BehaviorView(self) { node, _ in
      if let running = node.storage as? ViewTask<ID>, running.id == id { return }
      node.storage = ViewTask(id, in: node.graph.runtime, action)
    }
  }

  /// Calls `action` with the old and the new value after a value has changed.
  ///
  /// - Parameters:
  ///   - value: The value; evaluated when the view is shown and after each event of the session. It may read
  ///     the ``Environment`` and any object.
  ///   - initial: Whether to call `action` also when the view is shown, with the initial value as both
  ///     arguments.
  ///   - action: The action. Errors that it throws are logged; an error of the initial call prevents the
  ///     presentation of the scene.
  /// - Returns: The view with the observer.
  public func onChange<Value: Equatable>(
    of value: @escaping @autoclosure @MainActor () -> Value,
    initial: Bool = false,
    _ action: @escaping @MainActor (_ oldValue: Value, _ newValue: Value) throws -> Void
  ) -> some CaptureView {
    BehaviorView(self) { node, isFirst in
      let last = node.storage as? LastValue<Value> ?? LastValue(value())
      node.storage = last
      node.graph.watch(node) {
        let new = value()
        guard new != last.value else { return }
        let old = last.value
        last.value = new
        try action(old, new)
      }
      guard isFirst, initial else { return }
      try node.graph.runtime.awaitSceneReplies()
      try action(last.value, last.value)
    }
  }

  /// Calls `action` after a value has changed.
  ///
  /// - Parameters:
  ///   - value: The value; evaluated when the view is shown and after each event of the session.
  ///   - initial: Whether to call `action` also when the view is shown.
  ///   - action: The action. Errors that it throws are logged.
  /// - Returns: The view with the observer.
  public func onChange<Value: Equatable>(
    of value: @escaping @autoclosure @MainActor () -> Value,
    initial: Bool = false,
    _ action: @escaping @MainActor () throws -> Void
  ) -> some CaptureView {
    onChange(of: value(), initial: initial) { _, _ in try action() }
  }

  /// Draws views over this view.
  ///
  /// - Parameters:
  ///   - alignment: The position of the views over this view; the module `SwiftUI` arranges them.
  ///   - content: The views, which do not change the size of this view.
  /// - Returns: The view with the other views over it.
  public func overlay<Content: CaptureView>(
    alignment: Alignment = .center,
    @CaptureViewBuilder content: () -> Content
  ) -> some CaptureView {
    OverlaidView(base: self, above: content(), alignment: alignment)
  }

  /// Identifies the view by a value: a view with another value is a new view with new state.
  public func id<ID: Hashable>(_ id: ID) -> some CaptureView { IdentifiedView(content: self, id: id) }
}

/// A view with an identity.
private struct IdentifiedView<Content: CaptureView, ID: Hashable>: BuiltInView {
  let content: Content
  let id: ID

  func update(_ node: ViewNode) throws { try node.setChild(content, key: id) }
}

/// The value that an observer has seen last.
@MainActor
private final class LastValue<Value> {
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// The task of a view, which is canceled when the view leaves the tree.
@MainActor
private final class ViewTask<ID: Equatable> {
  let id: ID
  private let task: Task<Void, Never>

  init(_ id: ID, in runtime: SessionRuntime, _ action: @escaping @MainActor () async throws -> Void) {
    self.id = id
    task = Task { @MainActor in
      do { try await action() } catch is CancellationError {} catch { runtime.report(error) }
    }
  }

  deinit { task.cancel() }
}
