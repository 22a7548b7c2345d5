// SPDX-License-Identifier: Apache-2.0

/// What belongs to the person and needs a reason to be used.
package enum ProtectedResource: String, Sendable, Hashable, CaseIterable {
  /// The camera's frames.
  case camera
  /// Sound.
  case microphone
  /// The person's pictures.
  case photos
}

/// Why protected resources are used, in words for the person; a resource without a reason may not be used.
package struct UsageDescriptions: Sendable, Hashable {
  private var reasons: [ProtectedResource: String]

  /// Makes descriptions.
  package init(_ reasons: [ProtectedResource: String] = [:]) { self.reasons = reasons }

  /// The reason for using a resource, or nil.
  package subscript(resource: ProtectedResource) -> String? {
    get { reasons[resource] }
    set { reasons[resource] = newValue }
  }
}
