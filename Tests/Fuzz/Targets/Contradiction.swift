// SPDX-License-Identifier: Apache-2.0

/// An invariant of a reader that an input violated without a crash.
package struct Contradiction: Error, Hashable, Sendable, CustomStringConvertible {
  /// The description of the violation.
  package let description: String

  /// Creates a contradiction with a description.
  package init(_ description: String) { self.description = description }
}

/// Throws a contradiction unless a condition holds.
func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws(Contradiction) {
  if !holds { throw Contradiction(otherwise()) }
}

/// Runs a body that must succeed, because an equivalent input was accepted before.
func requireSuccess<Result: ~Copyable, Failure: Error>(
  _ what: @autoclosure () -> String,
  _ body: () throws(Failure) -> Result
) throws(Contradiction) -> Result {
  do { return try body() } catch { throw Contradiction("\(what()): \(error)") }
}
