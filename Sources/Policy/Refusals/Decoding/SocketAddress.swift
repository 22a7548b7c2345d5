// SPDX-License-Identifier: Apache-2.0

/// A formatter for socket addresses (`struct sockaddr`).
enum SocketAddress {
  /// Returns the address as text, or `nil` if even its family was not read.
  static func text(_ bytes: [UInt8]) -> String? {
    guard let family = KernelStructures.number(bytes, at: 0, size: 2) else { return nil }
    let name = ConstantFamily.all["family"]?.text(UInt32(family)) ?? "\(family)"
    let rest = Array(bytes.dropFirst(2))
    let body: String? =
      switch family {
      case 1: unix(rest)
      case 2: internet(rest)
      case 10: internet6(rest)
      case 16: netlink(bytes)
      case 40: virtualMachine(bytes)
      default: nil
      }
    return body.map { "{\(name), \($0)}" } ?? "{\(name)}"
  }

  /// Returns a path name or an abstract socket name.
  private static func unix(_ name: [UInt8]) -> String? {
    guard let first = name.first else { return nil }
    // The caller determines the length of an abstract name, which can contain zeros.
    if first == 0 { return "abstract \(UntrustedText.quoted(all: Array(name.dropFirst())))" }
    return UntrustedText.quoted(name, requested: .max)
  }

  private static func internet(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 6 else { return nil }
    return "\(bytes[2]).\(bytes[3]).\(bytes[4]).\(bytes[5]):\(port(bytes))"
  }

  private static func internet6(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 22 else { return nil }
    let groups = (0..<8).map { UInt16(bytes[6 + 2 * $0]) << 8 | UInt16(bytes[7 + 2 * $0]) }
    return "[\(shortened(groups))]:\(port(bytes))"
  }

  private static func port(_ bytes: [UInt8]) -> Int { Int(bytes[0]) << 8 | Int(bytes[1]) }

  /// Returns an IPv6 address according to RFC 5952, with the longest run of zeros omitted.
  private static func shortened(_ groups: [UInt16]) -> String {
    var longest = 0..<0
    var start = 0
    for (index, group) in groups.enumerated() {
      if group != 0 {
        start = index + 1
      } else if index + 1 - start > longest.count {
        longest = start..<index + 1
      }
    }
    func joined(_ part: some Sequence<UInt16>) -> String {
      part.map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard longest.count > 1 else { return joined(groups) }
    return joined(groups[..<longest.lowerBound]) + "::" + joined(groups[longest.upperBound...])
  }

  private static func netlink(_ bytes: [UInt8]) -> String? {
    guard let process = KernelStructures.number(bytes, at: 4, size: 4),
      let groups = KernelStructures.number(bytes, at: 8, size: 4)
    else { return nil }
    return "pid \(process), groups \(ArgumentText.hexadecimal(groups))"
  }

  private static func virtualMachine(_ bytes: [UInt8]) -> String? {
    guard let port = KernelStructures.number(bytes, at: 4, size: 4),
      let machine = KernelStructures.number(bytes, at: 8, size: 4)
    else { return nil }
    return "machine \(machine), port \(port)"
  }
}
