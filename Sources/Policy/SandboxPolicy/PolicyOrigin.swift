// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Where something in a policy was written.
package struct PolicyOrigin: Sendable, Hashable, CustomStringConvertible {
  /// The document: a file name, or whatever its reader calls it.
  package var source: String
  /// The place in the document.
  package var position: TextPosition

  /// Makes an origin.
  package init(source: String, position: TextPosition) {
    self.source = source
    self.position = position
  }

  /// `capture.json:12:7`.
  package var description: String { "\(source):\(position)" }
}

/// A value together with where it was written.
package struct Sourced<Value: Sendable & Hashable>: Sendable, Hashable {
  /// What was written.
  package var value: Value
  /// Where.
  package var origin: PolicyOrigin
  /// The group that stands there, of which the value is a member; nil where the value itself stands there.
  package var group: String?

  /// Joins a value and its origin.
  package init(_ value: Value, _ origin: PolicyOrigin, group: String? = nil) {
    self.value = value
    self.origin = origin
    self.group = group
  }
}
