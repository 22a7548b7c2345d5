// SPDX-License-Identifier: Apache-2.0

/// What the app and its capture extension both know: the app context.
public struct ClownTownContext: Codable, Sendable, Hashable {
  /// Whether make-up and a nose are painted on the portrait.
  public var addsMakeup: Bool

  /// Makes a context; a clown who has never chosen is photographed as they are.
  public init(addsMakeup: Bool = false) { self.addsMakeup = addsMakeup }
}
