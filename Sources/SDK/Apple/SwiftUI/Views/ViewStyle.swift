// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// The appearance that views inherit from the views around them.
struct ViewStyle {
  var font = Font.body
  /// The paint that an enclosing view has set, or `nil` for none.
  var foreground: Paint?
  var tint = Color.accentColor
  var isEnabled = true
  var lineLimit: Int?
  /// The size of symbols in multiples of the size that fits the font.
  var imageScale = 1.0
  var textAlignment = TextAlignment.leading
  /// The case of letters, or `nil` for that of the text.
  var textCase: Text.Case?

  /// The paint of text, symbols and shapes.
  var contentPaint: Paint { foreground ?? .color(.primary) }
}

/// The key of the inherited appearance.
private struct ViewStyleKey: EnvironmentKey {
  static let defaultValue = ViewStyle()
}

extension EnvironmentValues {
  /// The inherited appearance.
  var style: ViewStyle {
    get { self[ViewStyleKey.self] }
    set { self[ViewStyleKey.self] = newValue }
  }

  /// The font of text, or `nil` for the font of the body.
  public var font: Font? {
    get { style.font }
    set { style.font = newValue ?? .body }
  }

  /// Whether the user can operate the controls.
  public var isEnabled: Bool {
    get { style.isEnabled }
    set { style.isEnabled = newValue }
  }

  /// The maximum number of lines of a text, or `nil` for no limit.
  public var lineLimit: Int? {
    get { style.lineLimit }
    set { style.lineLimit = newValue }
  }

  /// The color scheme: always dark, because the interface lies over the frames of the camera. Setting it has no effect.
  public var colorScheme: ColorScheme {
    get { .dark }
    set {}
  }
}

/// The brightness of an interface; SwiftUI's name and cases.
public enum ColorScheme: Hashable, Sendable, CaseIterable {
  /// Dark text on a light background.
  case light
  /// Light text on a dark background.
  case dark
}

/// The position of the lines of a text; SwiftUI's name and cases.
public enum TextAlignment: Hashable, Sendable, CaseIterable {
  /// At the left.
  case leading
  /// In the center.
  case center
  /// At the right.
  case trailing

  /// The share of the free space that is before a line.
  var share: Double {
    switch self {
    case .leading: 0
    case .center: 0.5
    case .trailing: 1
    }
  }
}

extension View {
  /// Returns the view with a changed appearance.
  func style(_ change: @escaping (inout ViewStyle) -> Void) -> some View {
    environment(changing: { change(&$0.style) })
  }

  /// Sets the font of text in the view.
  public func font(_ font: Font?) -> some View { style { $0.font = font ?? .body } }

  /// Makes text in the view bold.
  public func bold() -> some View { style { $0.font = $0.font.bold() } }

  /// Sets the weight of text in the view.
  public func fontWeight(_ weight: Font.Weight?) -> some View {
    style { $0.font = $0.font.weight(weight ?? .regular) }
  }

  /// Leaves the digits of text as they are: the digits of all fonts have the same width.
  public func monospacedDigit() -> some View { self }

  /// Sets the color or pattern of text, symbols and shapes in the view.
  public func foregroundStyle(_ style: some ShapeStyle) -> some View {
    let paint = style.resolvedPaint
    return self.style { $0.foreground = paint }
  }

  /// Sets the color of text, symbols and shapes in the view.
  public func foregroundColor(_ color: Color?) -> some View { foregroundStyle(color ?? .primary) }

  /// Sets the color of controls in the view.
  public func tint(_ color: Color?) -> some View { style { $0.tint = color ?? .accentColor } }

  /// Sets the color of controls, as ``tint(_:)``; SwiftUI's former name.
  public func accentColor(_ color: Color?) -> some View { tint(color) }

  /// Limits the number of lines of text in the view.
  public func lineLimit(_ count: Int?) -> some View { style { $0.lineLimit = count } }

  /// Sets the position of lines of text in the view.
  public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
    style { $0.textAlignment = alignment }
  }

  /// Disables the controls and gestures in the view, which is drawn paler.
  public func disabled(_ isDisabled: Bool) -> some View {
    style { if isDisabled { $0.isEnabled = false } }.effect(DisabledEffect(isDisabled: isDisabled))
  }

  /// Lets contacts reach the view, or the views below it.
  public func allowsHitTesting(_ isEnabled: Bool) -> some View {
    effect(ContactEffect(isEnabled: isEnabled))
  }
}

/// The appearance of disabled content.
private struct DisabledEffect: LayoutEffect {
  let isDisabled: Bool

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    var placement = placement
    if isDisabled {
      placement.opacity *= 0.4
      placement.isEnabled = false
    }
    content.place(in: frame, placement)
  }
}

/// Whether contacts reach the content.
private struct ContactEffect: LayoutEffect {
  let isEnabled: Bool

  func place(_ content: Element, in frame: Bounds, _ placement: Placement) {
    var placement = placement
    placement.isEnabled = placement.isEnabled && isEnabled
    content.place(in: frame, placement)
  }
}
