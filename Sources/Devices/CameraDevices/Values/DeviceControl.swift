// SPDX-License-Identifier: Apache-2.0

/// An adjustable control of a device. The corresponding request is `VIDIOC_QUERYCTRL`.
package struct DeviceControl: Hashable, Sendable {
  /// The kernel's control ID.
  package var id: UInt32
  /// The driver's name for the control, for example `Zoom, Absolute`.
  package var title: String
  /// The kind of its values.
  package var kind: Kind
  /// The minimum value.
  package var minimum: Int
  /// The maximum value.
  package var maximum: Int
  /// The difference between two adjacent values.
  package var step: Int
  /// The default value.
  package var standard: Int
  /// The current value, or `nil` if it cannot be read.
  package var value: Int?
  /// Whether the control can be set.
  package var access: Access
  /// The entries of an integer menu; empty for other controls.
  package var entries: [Entry] = []

  /// An entry of an integer menu. The corresponding type is `V4L2_CTRL_TYPE_INTEGER_MENU`.
  package struct Entry: Hashable, Sendable {
    /// The index in the menu, which is the value of the control.
    package var index: Int
    /// The integer that the entry represents.
    package var value: Int

    /// Creates an entry from its parts.
    package init(_ index: Int, _ value: Int) { (self.index, self.value) = (index, value) }
  }

  /// The kind of a control's values.
  package enum Kind: String, Sendable, Hashable {
    /// An integer.
    case integer
    /// 0 or 1.
    case boolean
    /// The index of a menu entry.
    case menu
  }

  /// Whether a control can be set.
  package enum Access: String, Sendable, Hashable {
    /// The control can be set.
    case adjustable
    /// The control cannot be set at present, for example because an automatic mode sets it.
    case inactive
    /// The control can never be set.
    case readOnly
  }

  /// Creates a control from its parts.
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

  /// The name that users type: the title in lower case, with one hyphen for each run of other characters than
  /// letters and digits.
  package var name: String {
    title.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
  }

  /// Whether a value is valid.
  package func accepts(_ value: Int) -> Bool {
    value >= minimum && value <= maximum && (step <= 1 || (value - minimum) % step == 0)
  }
}
