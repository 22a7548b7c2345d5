// SPDX-License-Identifier: Apache-2.0

/// Something that can be adjusted at a device. The corresponding request is `VIDIOC_QUERYCTRL`.
package struct DeviceControl: Hashable, Sendable {
  /// The kernel's number.
  package var id: UInt32
  /// The driver's words for it: `Zoom, Absolute`.
  package var title: String
  /// What its numbers are.
  package var kind: Kind
  /// The least value.
  package var minimum: Int
  /// The greatest.
  package var maximum: Int
  /// From one value to the next.
  package var step: Int
  /// The value that it has when nobody has set it.
  package var standard: Int
  /// The value now; nil: it can't be read.
  package var value: Int?
  /// Whether it can be set now.
  package var access: Access

  /// What the numbers of a control are.
  package enum Kind: String, Sendable, Hashable {
    /// A number.
    case integer
    /// 0 or 1.
    case boolean
    /// The number of an entry of a list.
    case menu
  }

  /// Whether a control can be set.
  package enum Access: String, Sendable, Hashable {
    /// It can.
    case adjustable
    /// Not now: something else sets it, as an automatic does.
    case inactive
    /// Never.
    case readOnly
  }

  /// Describes a control.
  package init(
    id: UInt32,
    title: String,
    kind: Kind = .integer,
    from minimum: Int,
    to maximum: Int,
    step: Int = 1,
    standard: Int,
    value: Int?,
    access: Access = .adjustable
  ) {
    self.id = id
    self.title = title
    self.kind = kind
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.standard = standard
    self.value = value
    self.access = access
  }

  /// What people write: the title in small letters, with one hyphen for whatever is no letter or digit.
  package var name: String {
    title.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
  }

  /// Whether a value is one that it can have.
  package func takes(_ value: Int) -> Bool {
    value >= minimum && value <= maximum && (step <= 1 || (value - minimum) % step == 0)
  }
}
