// SPDX-License-Identifier: Apache-2.0

public import Combine
public import LockedCameraCapture

/// A view that receives the values of a publisher while it is in the tree.
private struct ReceivingView<Content: View, Output>: BuiltInView, Arranged {
  /// The subscription of a view, with the action of its last evaluation.
  @MainActor
  private final class Subscription {
    var action: @MainActor (Output) -> Void
    var cancellable: AnyCancellable?

    init(_ action: @escaping @MainActor (Output) -> Void) { self.action = action }
  }

  let content: Content
  let publisher: AnyPublisher<Output, Never>
  let action: @MainActor (Output) -> Void

  func update(_ node: ViewNode) throws {
    if let subscription = node.storage as? Subscription {
      subscription.action = action
    } else {
      let subscription = Subscription(action)
      node.storage = subscription
      subscription.cancellable = publisher.sink { [weak subscription] value in
        nonisolated(unsafe) let value = value
        MainActor.assumeIsolated { subscription?.action(value) }
      }
    }
    try node.setChild(content)
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector { element.onlyContent.size(proposal) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    element.onlyContent.place(in: frame, placement)
  }
}

extension View {
  /// Calls `action` with each value of a publisher while the view is in the tree.
  ///
  /// The view subscribes when it enters the tree. A value that is not sent on the main thread terminates the process; use
  /// ``Combine/Publisher/receive(on:)``.
  public func onReceive<Source: Publisher>(
    _ publisher: Source,
    perform action: @escaping @MainActor (Source.Output) -> Void
  ) -> some View where Source.Failure == Never {
    ReceivingView(content: self, publisher: publisher.eraseToAnyPublisher(), action: action)
  }
}
