// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// The parts of a label for its style; SwiftUI's name and members.
@MainActor
public struct LabelStyleConfiguration {
  /// The symbol.
  public let icon: AnyView
  /// The text.
  public let title: AnyView
}

/// The appearance of labels; SwiftUI's name and requirement.
@MainActor @preconcurrency
public protocol LabelStyle {
  /// The type of the appearance.
  associatedtype Body: View
  /// The parts of a label.
  typealias Configuration = LabelStyleConfiguration

  /// Returns the appearance of a label.
  @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// The appearance of labels with the symbol before the title.
public struct TitleAndIconLabelStyle: LabelStyle {
  /// Creates a style.
  public nonisolated init() {}

  /// Returns the symbol and the title.
  public func makeBody(configuration: Configuration) -> some View {
    HStack {
      configuration.icon
      configuration.title
    }
  }
}

/// The appearance of labels without the title.
public struct IconOnlyLabelStyle: LabelStyle {
  /// Creates a style.
  public nonisolated init() {}

  /// Returns the symbol.
  public func makeBody(configuration: Configuration) -> some View { configuration.icon }
}

/// The appearance of labels without the symbol.
public struct TitleOnlyLabelStyle: LabelStyle {
  /// Creates a style.
  public nonisolated init() {}

  /// Returns the title.
  public func makeBody(configuration: Configuration) -> some View { configuration.title }
}

extension LabelStyle where Self == TitleAndIconLabelStyle {
  /// The symbol before the title.
  public static var automatic: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
  /// The symbol before the title.
  public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}

extension LabelStyle where Self == IconOnlyLabelStyle {
  /// The symbol without the title.
  public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}

extension LabelStyle where Self == TitleOnlyLabelStyle {
  /// The title without the symbol.
  public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}

extension LabelStyle {
  /// Returns the appearance of a label, if the type of the style is not known.
  func anyBody(_ configuration: Configuration) -> AnyView {
    AnyView(makeBody(configuration: configuration))
  }
}

/// The key of the style of labels.
private struct LabelStyleKey: EnvironmentKey {
  static var defaultValue: any LabelStyle { TitleAndIconLabelStyle() }
}

extension EnvironmentValues {
  /// The style of labels.
  var labelStyle: any LabelStyle {
    get { self[LabelStyleKey.self] }
    set { self[LabelStyleKey.self] = newValue }
  }
}

extension View {
  /// Sets the appearance of the labels in the view.
  public func labelStyle(_ style: some LabelStyle) -> some View { environment(\.labelStyle, style) }
}
