// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// Declares a preview of a view; SwiftUI's name. The compiler checks the view; no program shows the preview.
///
/// - Parameters:
///   - name: The name of the preview, or `nil` for none.
///   - body: Returns the view.
@freestanding(declaration)
public macro Preview(_ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View) =
  #externalMacro(module: "SwiftUIMacros", type: "Preview")
