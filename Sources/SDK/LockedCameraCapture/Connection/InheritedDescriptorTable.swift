// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// The numbers of the inherited descriptors, by name.
///
/// It is an array because it is created before anything else: the first dictionary of a program is expensive.
package struct InheritedDescriptorTable {
  /// The number of descriptors that were passed, including those with unknown names.
  package private(set) var count = 0
  /// The descriptors with known names.
  private var known: [(name: InheritedDescriptor, number: Int32)] = []

  /// Parses a colon-separated list of names.
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

  /// The number of a descriptor, or `nil` if it was not passed.
  package subscript(name: InheritedDescriptor) -> Int32? {
    known.last { $0.name == name }?.number
  }
}
