// SPDX-License-Identifier: Apache-2.0

/// What a reader has done that it must never do; a crash needs no such word.
package struct Contradiction: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sentence.
  package let description: String

  /// Describes what was done.
  package init(_ description: String) { self.description = description }
}

/// Says that something must hold.
func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws(Contradiction) {
  if !holds { throw Contradiction(otherwise()) }
}

/// Does what cannot fail any more, because the same was accepted before.
func unfailing<Result: ~Copyable, Failure: Error>(
  _ what: @autoclosure () -> String,
  _ body: () throws(Failure) -> Result
) throws(Contradiction) -> Result {
  do { return try body() } catch { throw Contradiction("\(what()): \(error)") }
}
