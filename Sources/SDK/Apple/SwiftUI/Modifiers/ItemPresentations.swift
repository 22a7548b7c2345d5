// SPDX-License-Identifier: Apache-2.0

// Presentations of a value: they last while there is one.

public import Foundation
public import LockedCameraCapture

extension Binding {
  /// Returns whether there is a value; setting `false` removes the value.
  fileprivate func isPresent<Item>() -> Binding<Bool> where Value == Item? {
    Binding<Bool>(get: { wrappedValue != nil }, set: { if !$0 { wrappedValue = nil } })
  }
}

/// The view of a value that may be missing.
private struct ItemView<Item: Identifiable, Content: View>: View {
  @Binding var item: Item?
  let content: (Item) -> Content

  var body: some View {
    if let item { content(item).id(item.id) }
  }
}

extension View {
  /// Presents a view for a value at the lower edge of the viewfinder while there is a value. A contact outside the view removes
  /// the value.
  public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>,
    onDismiss: (@MainActor () -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    sheet(isPresented: item.isPresent(), onDismiss: onDismiss) { ItemView(item: item, content: content) }
  }

  /// Presents a view for a value over the whole viewfinder while there is a value.
  public func fullScreenCover<Item: Identifiable, Content: View>(
    item: Binding<Item?>,
    onDismiss: (@MainActor () -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    fullScreenCover(isPresented: item.isPresent(), onDismiss: onDismiss) {
      ItemView(item: item, content: content)
    }
  }

  /// Presents a message about a value with buttons while `isPresented` is `true` and there is a value.
  ///
  /// - Parameters:
  ///   - title: The title of the message.
  ///   - isPresented: Whether the message is presented.
  ///   - data: The value, or `nil` to present nothing.
  ///   - actions: The buttons, each of which ends the presentation after its action.
  ///   - message: The text below the title.
  /// - Returns: The view with the message.
  public func alert<Data, Actions: View, Message: View>(
    _ title: some StringProtocol,
    isPresented: Binding<Bool>,
    presenting data: Data?,
    @ViewBuilder actions: @escaping (Data) -> Actions,
    @ViewBuilder message: @escaping (Data) -> Message
  ) -> some View {
    let isShown = Binding(get: { data != nil && isPresented.wrappedValue }) { isPresented.wrappedValue = $0 }
    return alert(title, isPresented: isShown) {
      if let data { actions(data) }
    } message: {
      if let data { message(data) }
    }
  }

  /// Presents a message about a value with buttons, without a text below the title.
  public func alert<Data, Actions: View>(
    _ title: some StringProtocol,
    isPresented: Binding<Bool>,
    presenting data: Data?,
    @ViewBuilder actions: @escaping (Data) -> Actions
  ) -> some View {
    alert(title, isPresented: isPresented, presenting: data, actions: actions) { _ in EmptyView() }
  }

  /// Presents the description of an error with buttons while `isPresented` is `true` and there is an error.
  ///
  /// - Parameters:
  ///   - isPresented: Whether the message is presented.
  ///   - error: The error, or `nil` to present nothing.
  ///   - actions: The buttons, each of which ends the presentation after its action.
  /// - Returns: The view with the message.
  public func alert<Failure: LocalizedError, Actions: View>(
    isPresented: Binding<Bool>,
    error: Failure?,
    @ViewBuilder actions: @escaping () -> Actions
  ) -> some View {
    alert(error?.errorDescription ?? "Error", isPresented: isPresented, presenting: error) { _ in
      actions()
    } message: { error in
      Text(error.recoverySuggestion ?? error.failureReason ?? "")
    }
  }
}
