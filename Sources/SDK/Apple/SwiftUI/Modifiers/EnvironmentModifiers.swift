// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// The width of a space for an interface; SwiftUI's name and cases.
public enum UserInterfaceSizeClass: Hashable, Sendable {
  /// Little space.
  case compact
  /// Much space.
  case regular
}

extension EnvironmentValues {
  /// The horizontal space: compact if the viewfinder is higher than wide, as on an iPhone.
  public var horizontalSizeClass: UserInterfaceSizeClass? { isUpright ? .compact : .regular }

  /// The vertical space: compact if the viewfinder is wider than high.
  public var verticalSizeClass: UserInterfaceSizeClass? { isUpright ? .regular : .compact }

  private var isUpright: Bool { session?.devices.camera.map { $0.height > $0.width } ?? false }

  /// Whether the user has asked for fewer movements: `false`, because the host does not report it.
  public var accessibilityReduceMotion: Bool { false }

  /// Whether the user has asked for less transparency: `false`, because the host does not report it.
  public var accessibilityReduceTransparency: Bool { false }

  /// The number of pixels per point in the viewfinder of the session; 1 without a session.
  public var displayScale: Double {
    guard let camera = session?.devices.camera else { return 1 }
    return Double(min(camera.width, camera.height)) / 390
  }
}

/// The case of letters; SwiftUI's name. It is nested in `Text`.
extension Text {
  /// The case of letters.
  public enum Case: Hashable, Sendable {
    /// Capital letters.
    case uppercase
    /// Small letters.
    case lowercase
  }
}

extension View {
  /// Shows text in the view with capital or small letters; `nil` shows the text as it is.
  public func textCase(_ textCase: Text.Case?) -> some View { style { $0.textCase = textCase } }

  /// Makes text in the view italic if the font has italic letters; the fonts of the library have none.
  public func italic(_ isActive: Bool = true) -> some View { self }

  /// Shows text in the view in a font with equal widths.
  public func monospaced(_ isActive: Bool = true) -> some View {
    style { if isActive { $0.font = $0.font.monospaced() } }
  }

  /// Removes the labels of controls in the view; the labels of pickers and sliders are never drawn.
  public func labelsHidden() -> some View { environment(\.areLabelsHidden, true) }
}

/// The key of whether the labels of controls are removed.
private struct HiddenLabelsKey: EnvironmentKey {
  static let defaultValue = false
}

extension EnvironmentValues {
  /// Whether the labels of controls are removed.
  var areLabelsHidden: Bool {
    get { self[HiddenLabelsKey.self] }
    set { self[HiddenLabelsKey.self] = newValue }
  }
}
