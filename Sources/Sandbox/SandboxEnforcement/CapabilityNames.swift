// SPDX-License-Identifier: Apache-2.0

internal import CCap

/// The names of the capabilities of the running kernel (capabilities(7)).
package enum CapabilityNames {
  /// The number of capabilities, which is the highest capability number plus one.
  package static var count: Int { Int(cap_max_bits()) }

  /// Returns the name of a capability, for example `cap_net_admin`, or `nil` if the kernel has no capability
  /// with this number.
  package static func name(of number: Int) -> String? {
    guard (0..<count).contains(number), let text = cap_to_name(Int32(number)) else { return nil }
    defer { cap_free(text) }
    return String(cString: text)
  }
}
