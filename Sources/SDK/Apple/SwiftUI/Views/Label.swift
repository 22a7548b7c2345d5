// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A symbol and a title; SwiftUI's name.
public struct Label: View {
  private let title: String
  private let symbol: String

  /// Creates a label with the name of a symbol.
  public init(_ title: some StringProtocol, systemImage: String) {
    self.title = String(title)
    symbol = systemImage
  }

  /// The symbol before the title.
  public var body: some View {
    HStack {
      Image(systemName: symbol)
      Text(title)
    }
  }
}
