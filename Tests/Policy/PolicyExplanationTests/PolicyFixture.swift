// SPDX-License-Identifier: Apache-2.0

import Policies
import PolicyExplanation
import SandboxPolicy
import Testing

/// Policies for tests.
enum PolicyFixture {
  /// The documents of the shipped policies, parsed once.
  private static let documents = Result {
    try ShippedPolicies.texts.map { try PolicyParser.parse($0.text, source: $0.source) }
  }

  /// Returns the policy of a JSON document, which can extend the shipped policies.
  static func policy(_ text: String, source: String = "mine.json") throws -> ResolvedPolicy {
    let document = try PolicyParser.parse(text, source: source)
    return try PolicyLibrary(documents.get() + [document]).resolve(document)
  }

  /// Returns a shipped policy.
  static func shipped(_ name: String) throws -> ResolvedPolicy {
    try #require(try PolicyLibrary(documents.get()).policy(named: name))
  }
}
