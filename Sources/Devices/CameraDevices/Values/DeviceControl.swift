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
  /// What the entries of its list stand for, if that is numbers; empty: it has none of that kind.
  package var entries: [Entry] = []

  /// An entry of a list of numbers. The corresponding type is `V4L2_CTRL_TYPE_INTEGER_MENU`.
  package struct Entry: Hashable, Sendable {
    /// Its place in the list, which is what is set.
    package var index: Int
    /// The number that it stands for.
    package var value: Int

    /// Describes an entry.
    package init(_ index: Int, _ value: Int) { (self.index, self.value) = (index, value) }
  }

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
    access: Access = .adjustable,
    entries: [Entry] = []
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
    self.entries = entries
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
