// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// The numbers of inherited descriptors, by name.
///
/// A list and no dictionary: it is read before anything else is done, and the first dictionary of a program is dear.
package struct PassedNumbers {
  /// How many descriptors were passed, those with unknown names included.
  package private(set) var count = 0
  /// Those that are known.
  private var known: [(name: InheritedDescriptor, number: Int32)] = []

  /// Reads the names, which have colons between them.
  package init(_ names: String) {
    var rest = names[...]
    while true {
      let name = rest.prefix { $0 != ":" }
      if let name = InheritedDescriptor(rawValue: String(name)) {
        known.append((name, InheritedDescriptor.firstNumber + Int32(count)))
      }
      count += 1
      guard name.endIndex < rest.endIndex else { return }
      rest = rest[rest.index(after: name.endIndex)...]
    }
  }

  /// The number of a descriptor; nil if it was not passed.
  package subscript(name: InheritedDescriptor) -> Int32? {
    known.last { $0.name == name }?.number
  }
}
