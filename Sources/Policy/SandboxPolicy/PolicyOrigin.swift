// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The position of an element in a policy document.
package struct PolicyOrigin: Sendable, Hashable, CustomStringConvertible {
  /// The document's name in messages, usually its file name.
  package var source: String
  /// The position in the document.
  package var position: TextPosition

  /// Creates an origin.
  package init(source: String, position: TextPosition) {
    self.source = source
    self.position = position
  }

  /// The origin as text, for example `capture.json:12:7`.
  package var description: String { "\(source):\(position)" }
}

/// A value, with its position in a document.
package struct Sourced<Value: Sendable & Hashable>: Sendable, Hashable {
  package var value: Value
  /// The position of the value.
  package var origin: PolicyOrigin
  /// The group that the document names and that has the value as a member, or `nil` if the document names the
  /// value itself.
  package var group: String?

  /// Creates a value with its position.
  package init(_ value: Value, _ origin: PolicyOrigin, group: String? = nil) {
    self.value = value
    self.origin = origin
    self.group = group
  }
}
