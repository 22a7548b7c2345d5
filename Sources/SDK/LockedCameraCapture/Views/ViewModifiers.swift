// SPDX-License-Identifier: Apache-2.0

/// A view with an action that runs after the view is installed.
struct ModifiedView<Base: CaptureView>: BuiltInView {
  let base: Base
  let modification: @MainActor (ViewContext) throws -> Void

  init(base: Base, modification: @escaping @MainActor (ViewContext) throws -> Void) {
    self.base = base
    self.modification = modification
  }

  func install(in context: ViewContext) throws {
    try context.install(base)
    try modification(context)
  }
}

extension CaptureView {
  /// Calls `action` in the main actor before the session ends.
  ///
  /// - Parameter action: Receives the reason and the remaining time in seconds. Errors that it throws are
  ///   logged.
  /// - Returns: The view with the action.
  public func onDismissal(_ action: @escaping (DismissalReason, Double) throws -> Void) -> some CaptureView {
    ModifiedView(base: self) { context in context.session.onDismissal(action) }
  }

  /// Calls an asynchronous `action` before the session ends, and waits until it returns.
  ///
  /// - Parameter action: Receives the reason and the remaining time in seconds. Errors that it throws are
  ///   logged.
  /// - Returns: The view with the action.
  public func onDismissal(
    _ action: @escaping @MainActor (DismissalReason, Double) async throws -> Void
  ) -> some CaptureView {
    ModifiedView(base: self) { context in context.session.onDismissal(action) }
  }

  /// Calls `action` once, when the view is shown, before the session handles any event.
  ///
  /// - Parameter action: The action. If it throws, the scene is not shown.
  /// - Returns: The view with the action.
  public func onAppear(perform action: @escaping () throws -> Void) -> some CaptureView {
    ModifiedView(base: self) { context in
      // The requests of the views below must have succeeded before the action runs.
      try context.session.runtime.awaitSceneReplies()
      try action()
    }
  }

  /// Calls `action` once, when the session is being dismissed.
  ///
  /// No view disappears before the dismissal. Errors that `action` throws are logged.
  public func onDisappear(perform action: @escaping () throws -> Void) -> some CaptureView {
    onDismissal { _, _ in try action() }
  }

  /// Starts a task of the main actor when the view is shown.
  ///
  /// Errors that it throws are logged, except `CancellationError`.
  public func task(_ action: @escaping @MainActor () async throws -> Void) -> some CaptureView {
    ModifiedView(base: self) { context in
      let runtime = context.session.runtime
      Task { @MainActor in
        do { try await action() } catch is CancellationError {} catch { runtime.report(error) }
      }
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
    ModifiedView(base: self) { context in
      var last = value()
      if initial {
        try context.session.runtime.awaitSceneReplies()
        try action(last, last)
      }
      context.session.runtime.handlers.watchers.append {
        let new = value()
        guard new != last else { return }
        let old = last
        last = new
        try action(old, new)
      }
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
  public func overlay<Content: CaptureView>(@CaptureViewBuilder content: () -> Content) -> some CaptureView {
    JoinedView(below: self, above: content())
  }
}
