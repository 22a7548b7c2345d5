// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A view of any type; SwiftUI's name.
public struct AnyView: View, BuiltInView {
  private let content: any View

  /// Creates a view that shows another one.
  public init(_ content: some View) { self.content = content }

  package func update(_ node: ViewNode) throws { try node.setChild(content) }
}
