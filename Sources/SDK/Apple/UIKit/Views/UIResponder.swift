// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The superclass of views and view controllers; UIKit's name. Contacts are not delivered to responders.
@MainActor @preconcurrency
open class UIResponder: NSObject {
  /// Creates a responder.
  public override init() { super.init() }
}
