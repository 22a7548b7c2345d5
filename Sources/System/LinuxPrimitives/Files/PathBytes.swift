// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension String {
  /// Returns whether the kernel treats both strings as the same path. `==` treats canonically equivalent
  /// spellings as equal, which are different file names.
  package func hasBytes(of other: String) -> Bool {
    var (one, other) = (self, other)
    return one.withUTF8 { one in
      other.withUTF8 { other in
        guard one.count == other.count else { return false }
        guard let start = one.baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, one.count) == 0
      }
    }
  }
}

extension [String] {
  /// Returns whether the kernel treats each string as the same path as its counterpart.
  package func hasBytes(of other: [String]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.hasBytes(of: $1) }
  }
}

extension Array {
  /// Returns whether two arrays have the same elements. Arrays that share storage are equal without comparing
  /// elements.
  package func isSame(as other: [Element], by areSame: (Element, Element) -> Bool) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBufferPointer { elements in
      other.withUnsafeBufferPointer { others in
        elements.baseAddress == others.baseAddress || zip(elements, others).allSatisfy(areSame)
      }
    }
  }
}
