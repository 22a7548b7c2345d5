// SPDX-License-Identifier: Apache-2.0

internal import CCap

/// The capabilities of the running kernel, by number and name (capabilities(7)).
package enum CapabilityNames {
  /// How many there are; the highest number is one less.
  package static var count: Int { Int(cap_max_bits()) }

  /// The name of one, for example `cap_net_admin`; nil if the kernel has none of that number.
  package static func name(of number: Int) -> String? {
    guard (0..<count).contains(number), let text = cap_to_name(Int32(number)) else { return nil }
    defer { cap_free(text) }
    return String(cString: text)
  }
}
