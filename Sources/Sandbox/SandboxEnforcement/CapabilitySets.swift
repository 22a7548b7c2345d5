// SPDX-License-Identifier: Apache-2.0

internal import CCap
package import LinuxPrimitives

/// The five sets of capabilities of a process (capabilities(7)).
package struct CapabilitySets: Sendable, Hashable {
  /// A set of capabilities, in which bit n is capability n.
  package struct Bits: OptionSet, Sendable, Hashable {
    /// The kernel's bits.
    package let rawValue: UInt64
    /// Creates a set from the kernel's bits.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The names of the members, ordered by capability number.
    package var names: [String] {
      (0..<64).filter { rawValue >> UInt64($0) & 1 == 1 }
        .map { CapabilityNames.name(of: $0) ?? "capability \($0)" }
    }
  }

  /// The capabilities that the kernel checks.
  package var effective: Bits
  /// The capabilities that the process may make effective.
  package var permitted: Bits
  /// The capabilities that execve(2) may keep.
  package var inheritable: Bits
  /// The capabilities that execve(2) can grant at most.
  package var bounding: Bits
  /// The capabilities that execve(2) of a program without file capabilities keeps.
  package var ambient: Bits

  /// Whether all five sets are empty.
  package var areEmpty: Bool {
    effective.union(permitted).union(inheritable).union(bounding).union(ambient).isEmpty
  }

  /// Returns the capability sets of a process, given by its ID in the caller's PID namespace.
  package static func of(processID: Int32) throws(SystemCallError) -> CapabilitySets {
    let status = try FileSystem.contents("/proc/\(processID)/status") ?? []
    let fields = hexadecimalFields(String(decoding: status, as: UTF8.self))
    guard let capabilities = cap_get_pid(processID) else { throw SystemCallError("cap_get_pid") }
    defer { cap_free(UnsafeMutableRawPointer(capabilities)) }
    return CapabilitySets(
      effective: try bits(capabilities, CAP_EFFECTIVE),
      permitted: try bits(capabilities, CAP_PERMITTED),
      inheritable: try bits(capabilities, CAP_INHERITABLE),
      bounding: Bits(rawValue: fields["CapBnd"] ?? 0),
      ambient: Bits(rawValue: fields["CapAmb"] ?? 0)
    )
  }

  /// Returns one of the three sets that libcap can read for another process.
  private static func bits(_ capabilities: cap_t, _ flag: cap_flag_t) throws(SystemCallError) -> Bits {
    var bits: UInt64 = 0
    for number in 0..<CapabilityNames.count {
      var value = CAP_CLEAR
      try check("cap_get_flag") { cap_get_flag(capabilities, Int32(number), flag, &value) }
      if value == CAP_SET { bits |= 1 << UInt64(number) }
    }
    return Bits(rawValue: bits)
  }

  /// Returns the fields of `/proc/PID/status` that are hexadecimal numbers, by name.
  private static func hexadecimalFields(_ status: String) -> [String: UInt64] {
    var fields: [String: UInt64] = [:]
    for line in status.split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " })
      if words.count == 2, let value = UInt64(words[1], radix: 16) { fields[String(words[0])] = value }
    }
    return fields
  }
}

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
