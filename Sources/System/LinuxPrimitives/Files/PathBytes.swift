// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension String {
  /// Whether the kernel takes both for the same path. `==` does not tell: to it, two spellings of one letter are equal
  /// that are two names of files.
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
  /// Whether the kernel takes each for the same path as its counterpart.
  package func hasBytes(of other: [String]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.hasBytes(of: $1) }
  }
}

extension Array {
  /// Whether two have the same elements; those of one and the same array, which a copy shares, are not looked at.
  package func isSame(as other: [Element], by areSame: (Element, Element) -> Bool) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBufferPointer { elements in
      other.withUnsafeBufferPointer { others in
        elements.baseAddress == others.baseAddress || zip(elements, others).allSatisfy(areSame)
      }
    }
  }
}
