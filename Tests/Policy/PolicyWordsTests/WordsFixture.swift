// SPDX-License-Identifier: Apache-2.0

import Policies
import PolicyWords
import SandboxPolicy
import Testing

/// Policies for tests.
enum WordsFixture {
  /// The documents that come with Darkroom; read once.
  private static let documents = Result {
    try ShippedPolicies.texts.map { try PolicyParser.parse($0.text, source: $0.source) }
  }

  /// A policy whose document is the given JSON; it can extend the shipped ones.
  static func policy(_ text: String, source: String = "mine.json") throws -> ResolvedPolicy {
    let document = try PolicyParser.parse(text, source: source)
    return try PolicyLibrary(documents.get() + [document]).resolve(document)
  }

  /// A policy that comes with Darkroom.
  static func shipped(_ name: String) throws -> ResolvedPolicy {
    try #require(try PolicyLibrary(documents.get()).policy(named: name))
  }
}
