// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// A message about a contact with the picture of a viewfinder.
package struct PointerPacket: Equatable, Sendable {
  /// The number of the contact, from 0.
  package var contact: Int
  /// The phase of the contact.
  package var phase: PointerPhase
  /// The distance from the left edge of the picture, in pixels of the picture. A negative number is left of
  /// the picture.
  package var x: Double
  /// The distance from the upper edge of the picture, in pixels of the picture. A negative number is above
  /// the picture.
  package var y: Double

  /// Creates a message.
  package init(_ phase: PointerPhase, contact: Int, x: Double, y: Double) {
    (self.phase, self.contact, self.x, self.y) = (phase, contact, x, y)
  }

  /// Creates a message from its text, or returns `nil` if the text is malformed.
  package init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 4, let phase = PointerPhase(rawValue: String(words[0])), let contact = Int(words[1]),
      let x = Double(words[2]), let y = Double(words[3]), x.isFinite, y.isFinite
    else { return nil }
    self.init(phase, contact: contact, x: x, y: y)
  }

  /// The message as text: phase, contact, x and y, separated by spaces.
  package var text: String { "\(phase.rawValue) \(contact) \(x) \(y)" }
}
