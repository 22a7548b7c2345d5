// SPDX-License-Identifier: Apache-2.0

/// A view and something more, which is done after the view.
struct ModifiedView<Base: CaptureView>: BuiltInView {
  let base: Base
  let more: @MainActor (ViewContext) throws -> Void

  init(base: Base, more: @escaping @MainActor (ViewContext) throws -> Void) {
    self.base = base
    self.more = more
  }

  func install(in context: ViewContext) throws {
    try context.install(base)
    try more(context)
  }
}

extension CaptureView {
  /// Calls `action` before the session ends, with why and the seconds that are left. What it throws goes to the log.
  public func onDismissal(_ action: @escaping (DismissalReason, Double) throws -> Void) -> some CaptureView {
    ModifiedView(base: self) { context in context.session.onDismissal(action) }
  }

  /// Calls `action` before the session ends, with why and the seconds that are left, and lets it finish.
  public func onDismissal(
    _ action: @escaping @MainActor (DismissalReason, Double) async throws -> Void
  ) -> some CaptureView {
    ModifiedView(base: self) { context in context.session.onDismissal(action) }
  }

  /// Calls `action` once, when the view is shown, before anything happens in the session. If it throws, the scene is not
  /// shown.
  public func onAppear(perform action: @escaping () throws -> Void) -> some CaptureView {
    ModifiedView(base: self) { context in
      // What the views below have asked for is there when the author's code runs.
      try context.session.runtime.settle()
      try action()
    }
  }

  /// Calls `action` once, when the session is being dismissed: no view disappears before. What it throws goes to the log.
  public func onDisappear(perform action: @escaping () throws -> Void) -> some CaptureView {
    onDismissal { _, _ in try action() }
  }

  /// Begins a task of the main actor when the view is shown. What it throws goes to the log, unless it is a
  /// `CancellationError`.
  public func task(_ action: @escaping @MainActor () async throws -> Void) -> some CaptureView {
    ModifiedView(base: self) { context in
      let runtime = context.session.runtime
      Task { @MainActor in
        do { try await action() } catch is CancellationError {} catch { runtime.report(error) }
      }
    }
  }

  /// Calls `action` with the old and the new value when a value has changed.
  ///
  /// The expression is evaluated when the view is shown and after everything that happens in the session, so it may read
  /// the ``Environment`` and any object.
  public func onChange<Value: Equatable>(
    of value: @escaping @autoclosure @MainActor () -> Value,
    initial: Bool = false,
    _ action: @escaping @MainActor (_ oldValue: Value, _ newValue: Value) throws -> Void
  ) -> some CaptureView {
    ModifiedView(base: self) { context in
      var last = value()
      if initial {
        try context.session.runtime.settle()
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

  /// Calls `action` when a value has changed.
  public func onChange<Value: Equatable>(
    of value: @escaping @autoclosure @MainActor () -> Value,
    initial: Bool = false,
    _ action: @escaping @MainActor () throws -> Void
  ) -> some CaptureView {
    onChange(of: value(), initial: initial) { _, _ in try action() }
  }

  /// Draws views over this one.
  public func overlay<Content: CaptureView>(@CaptureViewBuilder content: () -> Content) -> some CaptureView {
    JoinedView(below: self, above: content())
  }
}
