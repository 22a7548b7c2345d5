// SPDX-License-Identifier: Apache-2.0

/// The text of one argument of a call.
struct ArgumentText {
  /// The name of the call.
  let call: String
  /// All six arguments.
  let arguments: [UInt64]
  /// The index of the argument.
  let index: Int
  /// The memory that the argument points to, or `nil` if it was not read.
  let contents: MemoryContents?

  private var value: UInt64 { arguments[index] }
  private var low: UInt32 { UInt32(truncatingIfNeeded: value) }
  private var signed: Int32 { Int32(truncatingIfNeeded: value) }

  /// Returns the argument as text, or `nil` if the kernel ignores it.
  func text(_ kind: CallSignature.Kind) -> String? {
    let text: String?
    switch kind {
    case .family(let name): text = ConstantFamily.all[name].map { $0.text(low) } ?? Self.hexadecimal(value)
    case .plain(let plain): text = self.text(plain)
    }
    return kind.isNarrow ? text.map { $0 + upperHalf } : text
  }

  /// A note about a nonzero upper half of an argument whose lower half alone counts.
  ///
  /// A sign-extended negative number is not noted, because it is harmless.
  private var upperHalf: String {
    let upper = UInt32(truncatingIfNeeded: value >> 32)
    guard upper != 0, upper != .max || signed >= 0 else { return "" }
    return " (and 0x\(String(upper, radix: 16)) in the upper 32 bits)"
  }

  private func text(_ plain: CallSignature.Plain) -> String? {
    switch plain {
    case .int, .fd, .pid: "\(signed)"
    case .hex32: Self.hexadecimal(UInt64(low))
    case .dir: signed == -100 ? "AT_FDCWD" : "\(signed)"
    case .mode: Self.octal(low)
    case .createmode: createMode
    case .filetype: Self.fileType(low)
    case .long: "\(Int64(bitPattern: value))"
    case .size: "\(value)"
    case .hex: Self.hexadecimal(value)
    // Addresses are omitted: they are meaningless and differ between processes, so equal calls would look
    // different.
    case .ptr: value == 0 ? Self.address(value) : "…"
    case .dev: "makedev(\((low >> 8) & 0xFFF), \((low & 0xFF) | ((low >> 12) & 0xFFF00)))"
    case .protocol: protocolName
    case .clone: Self.clone(low)
    case .persona: low == .max ? "0xffffffff" : ConstantFamily.all["personality"]?.text(low)
    case .path, .text: pointee { UntrustedText.quoted($0, requested: CallDecoder.maximumTextBytes) }
    case .counted: pointee { UntrustedText.quoted(all: $0) }
    case .sockaddr: pointee(SocketAddress.text)
    case .cloneargs: pointee(CloneArguments.text)
    case .openhow: pointee(KernelStructures.openHow)
    case .perf: pointee(KernelStructures.performanceEvent)
    case .schedattr: pointee(KernelStructures.schedulerAttributes)
    }
  }

  /// Returns the memory contents as text, or the address if the memory was not read.
  private func pointee(_ text: ([UInt8]) -> String?) -> String {
    guard let contents, !contents.bytes.isEmpty else { return Self.address(value) }
    // The reader may have returned more bytes than requested.
    return text(Array(contents.bytes.prefix(contents.request.length))) ?? Self.address(value)
  }

  /// The permissions, or `nil` if the flags before them do not create a file.
  private var createMode: String? {
    let creating: UInt64 = 0x40 | 0x40_0000
    return index > 0 && arguments[index - 1] & creating == 0 ? nil : Self.octal(low)
  }

  /// The name of the protocol, which depends on the address family two arguments before.
  private var protocolName: String {
    let family = index >= 2 ? UInt32(truncatingIfNeeded: arguments[index - 2]) : 0
    let names: String? =
      switch family {
      case 2, 10: "internet"
      case 16: "netlink"
      default: nil
      }
    return names.flatMap { ConstantFamily.all[$0]?.text(low) } ?? "\(low)"
  }
}

extension ArgumentText {
  /// Returns a number in hexadecimal, such as `0x1f`.
  static func hexadecimal(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }

  /// Returns an address, or `NULL` for zero.
  static func address(_ value: UInt64) -> String { value == 0 ? "NULL" : hexadecimal(value) }

  /// Returns permissions in the syntax of policies, with the names of the special bits.
  static func octal(_ mode: UInt32) -> String {
    let special = mode & 0o7000
    let plain = "0o" + String(mode & ~0o7000, radix: 8)
    guard special != 0, let names = ConstantFamily.all["mode"] else { return plain }
    return names.maskText(special) + "|" + plain
  }

  /// Returns the type and the permissions of a file.
  static func fileType(_ mode: UInt32) -> String {
    let type = mode & 0xF000
    guard type != 0, let names = ConstantFamily.all["fileType"] else { return octal(mode) }
    return names.text(type) + "|" + octal(mode & ~0xF000)
  }

  /// Returns the flags of clone(2), with the termination signal of the new process.
  static func clone(_ flags: UInt32) -> String {
    // Signals are at most 64, so bit 7 can only be the flag that clone3(2) defines there.
    let signal = flags & 0x7F
    let rest = flags & ~0x7F
    let names = rest == 0 ? nil : ConstantFamily.all["clone"]?.maskText(rest)
    let end = signal == 0 ? nil : ConstantFamily.all["signal"]?.text(signal)
    let parts = [names, end].compactMap { $0 }
    return parts.isEmpty ? "0" : parts.joined(separator: "|")
  }
}
