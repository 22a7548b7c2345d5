// SPDX-License-Identifier: Apache-2.0

/// A type that produces messages for users, with sample values.
protocol MessageSamples {
  /// The samples in the order of the declaration, each with the name of its case. The name is empty if the type
  /// is not an enumeration.
  static var catalogSamples: [(String, Self)] { get }
  /// The error types that reach users through these messages.
  static var catalogedErrors: [Any.Type] { get }
  /// The enumeration that must have a sample for each case, or `nil` if the error is not an enumeration.
  static var catalogedCases: Any.Type? { get }
  /// The message.
  var catalogText: String { get }
}

/// An enumeration that produces messages for users.
///
/// Its conformance names each case in a `switch` without `default`: a new case does not compile until it is added
/// there, and it needs a sample, too, which `MessageCatalogTests` checks.
protocol CaseSamples: MessageSamples {
  /// Whether the samples contain the case, which is true for each case of the `switch`.
  var isInCatalog: Bool { get }
}

extension MessageSamples {
  static var catalogedErrors: [Any.Type] { [Self.self] }
  static var catalogedCases: Any.Type? { nil }
}

extension CaseSamples {
  static var catalogedCases: Any.Type? { Self.self }
}

extension MessageSamples where Self: CustomStringConvertible {
  var catalogText: String { description }
}

extension CaseSamples where Self: CaseIterable {
  static var catalogSamples: [(String, Self)] { allCases.map { ("\($0)", $0) } }
  var isInCatalog: Bool { true }
}
