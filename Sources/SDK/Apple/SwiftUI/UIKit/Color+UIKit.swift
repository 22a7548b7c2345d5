// SPDX-License-Identifier: Apache-2.0

public import UIKit

extension Color {
  /// Creates a color from a color of UIKit.
  public init(uiColor: UIColor) { self.init(uiColor.cgColor) }

  /// Creates a color from a color of UIKit.
  public init(_ color: UIColor) { self.init(uiColor: color) }
}
