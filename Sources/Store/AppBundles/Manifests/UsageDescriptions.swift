// SPDX-License-Identifier: Apache-2.0

/// A resource of the user that requires a usage description.
package enum ProtectedResource: String, Sendable, Hashable, CaseIterable {
  /// The camera's frames.
  case camera
  /// Audio from the microphone.
  case microphone
  /// The user's photo library.
  case photos
}

/// The reasons for the use of protected resources, as texts for the user. A resource without a reason must
/// not be used.
package struct UsageDescriptions: Sendable, Hashable {
  private var reasons: [ProtectedResource: String]

  /// Creates usage descriptions.
  package init(_ reasons: [ProtectedResource: String] = [:]) { self.reasons = reasons }

  /// The reason for the use of a resource, or `nil`.
  package subscript(resource: ProtectedResource) -> String? {
    get { reasons[resource] }
    set { reasons[resource] = newValue }
  }
}
