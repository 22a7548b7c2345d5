// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A choice between values, drawn as a row of segments; SwiftUI's name.
///
/// The content has a view with a ``LockedCameraCapture/CaptureView/tag(_:)`` for each value.
public struct Picker<SelectionValue: Hashable, Content: View>: View {
  @Binding private var selection: SelectionValue
  private let content: Content

  /// Creates a choice.
  ///
  /// - Parameters:
  ///   - title: The purpose of the choice, which is not drawn.
  ///   - selection: The chosen value.
  ///   - content: A view for each value.
  public init(
    _ title: some StringProtocol,
    selection: Binding<SelectionValue>,
    @ViewBuilder content: () -> Content
  ) {
    _selection = selection
    self.content = content()
  }

  /// Creates a choice whose purpose is shown by a view, which is not drawn.
  public init(
    selection: Binding<SelectionValue>,
    @ViewBuilder content: () -> Content,
    @ViewBuilder label: () -> some View
  ) {
    self.init("", selection: selection, content: content)
  }

  /// The segments.
  public var body: some View {
    let selected = AnyHashable(selection)
    HStack(spacing: 0) { content }
      .padding(2)
      .background(Color(white: 0.3, opacity: 0.7), in: Capsule())
      .environment(
        \.choice,
        Choice(selected: selected) { if let value = $0.base as? SelectionValue { selection = value } }
      )
  }
}

/// The choice of an enclosing ``Picker``.
struct Choice {
  let selected: AnyHashable
  let select: @MainActor (AnyHashable) -> Void
}

/// The key of the choice.
private struct ChoiceKey: EnvironmentKey {
  static var defaultValue: Choice? { nil }
}

extension EnvironmentValues {
  /// The choice of the enclosing picker, or `nil` outside of pickers.
  var choice: Choice? {
    get { self[ChoiceKey.self] }
    set { self[ChoiceKey.self] = newValue }
  }
}

/// A view for a value of a choice.
private struct TaggedView<Content: View>: View {
  let content: Content
  let tag: AnyHashable
  @Environment(\.choice) private var choice

  var body: some View {
    if let choice {
      content
        .lineLimit(1)
        .foregroundStyle(choice.selected == tag ? Color.black : .white)
        .padding(.horizontal, 12)
        .padding(.vertical, 6)
        .background(choice.selected == tag ? Color.accentColor : .clear, in: Capsule())
        .onTapGesture { choice.select(tag) }
    } else {
      content
    }
  }
}

/// The appearance of pickers; SwiftUI's name. All pickers are drawn as segments.
public struct PickerStyle: Sendable {
  /// Segments.
  public static let automatic = PickerStyle()
  /// Segments.
  public static let segmented = PickerStyle()
  /// Segments.
  public static let menu = PickerStyle()
  /// Segments.
  public static let inline = PickerStyle()
  /// Segments.
  public static let wheel = PickerStyle()
}

extension View {
  /// Makes the view the segment of a value in a ``Picker``. The value must have the type of the picker's selection.
  public func tag(_ tag: some Hashable) -> some View { TaggedView(content: self, tag: AnyHashable(tag)) }

  /// Leaves the view as it is: pickers are drawn as segments.
  public func pickerStyle(_ style: PickerStyle) -> some View { self }
}
