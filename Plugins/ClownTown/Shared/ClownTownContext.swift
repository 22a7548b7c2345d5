// SPDX-License-Identifier: Apache-2.0

/// The app context that the app and its capture extension share.
public struct ClownTownContext: Codable, Sendable, Hashable {
  /// Whether make-up and a nose are painted on the portrait.
  public var addsMakeup: Bool

  /// Creates a context; by default without make-up.
  public init(addsMakeup: Bool = false) { self.addsMakeup = addsMakeup }
}
