// SPDX-License-Identifier: Apache-2.0

/// Writes one argument of a call.
struct ArgumentText {
  /// The call's name.
  let call: String
  /// All six arguments.
  let arguments: [UInt64]
  /// The one to write.
  let index: Int
  /// What was read where it points; nil if nothing was.
  let piece: MemoryPiece?

  private var value: UInt64 { arguments[index] }
  private var low: UInt32 { UInt32(truncatingIfNeeded: value) }
  private var signed: Int32 { Int32(truncatingIfNeeded: value) }

  /// The text; nil if the kernel does not look at the argument.
  func text(_ kind: CallSignature.Kind) -> String? {
    let text: String?
    switch kind {
    case .family(let name): text = ConstantFamily.all[name].map { $0.text(low) } ?? Self.hexadecimal(value)
    case .plain(let plain): text = self.text(plain)
    }
    return kind.isNarrow ? text.map { $0 + upperHalf } : text
  }

  /// What stands in the upper half of an argument whose lower half is all that counts.
  ///
  /// The sign of a negative number fills the upper half, too; that is no attempt at anything.
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
    // Where something lies says nothing, and differs from process to process: calls that are alike would not look it.
    case .ptr: value == 0 ? Self.address(value) : "…"
    case .dev: "makedev(\((low >> 8) & 0xFFF), \((low & 0xFF) | ((low >> 12) & 0xFFF00)))"
    case .protocol: protocolName
    case .clone: Self.clone(low)
    case .persona: low == .max ? "0xffffffff" : ConstantFamily.all["personality"]?.text(low)
    case .path, .text: pointed { UntrustedText.quoted($0, asked: CallDecoder.textBytes) }
    case .counted: pointed { UntrustedText.quoted(all: $0) }
    case .sockaddr: pointed(SocketAddress.text)
    case .cloneargs: pointed(CloneArguments.text)
    case .openhow: pointed(Structures.openHow)
    case .perf: pointed(Structures.performanceEvent)
    case .schedattr: pointed(Structures.schedulerAttributes)
    }
  }

  /// What was read at the address, or the address if nothing was.
  private func pointed(_ text: ([UInt8]) -> String?) -> String {
    guard let piece, !piece.bytes.isEmpty else { return Self.address(value) }
    // Whoever read it may have read more than was asked for.
    return text(Array(piece.bytes.prefix(piece.request.length))) ?? Self.address(value)
  }

  /// Permissions count only if the flags before them create a file.
  private var createMode: String? {
    let creating: UInt64 = 0x40 | 0x40_0000
    return index > 0 && arguments[index - 1] & creating == 0 ? nil : Self.octal(low)
  }

  /// The protocol in the words of the address family, two arguments before it.
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
  /// `0x1f`.
  static func hexadecimal(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }

  /// An address; that of nothing is `NULL`.
  static func address(_ value: UInt64) -> String { value == 0 ? "NULL" : hexadecimal(value) }

  /// Permissions as a policy writes them, with the special ones in words.
  static func octal(_ mode: UInt32) -> String {
    let special = mode & 0o7000
    let plain = "0o" + String(mode & ~0o7000, radix: 8)
    guard special != 0, let names = ConstantFamily.all["mode"] else { return plain }
    return names.maskText(special) + "|" + plain
  }

  /// The type of a file and its permissions.
  static func fileType(_ mode: UInt32) -> String {
    let type = mode & 0xF000
    guard type != 0, let names = ConstantFamily.all["fileType"] else { return octal(mode) }
    return names.text(type) + "|" + octal(mode & ~0xF000)
  }

  /// The flags of clone(2), and the signal at the end of the new process.
  static func clone(_ flags: UInt32) -> String {
    // Signals end at 64; the bit above them can only be meant as the flag that clone3(2) has there.
    let signal = flags & 0x7F
    let rest = flags & ~0x7F
    let names = rest == 0 ? nil : ConstantFamily.all["clone"]?.maskText(rest)
    let end = signal == 0 ? nil : ConstantFamily.all["signal"]?.text(signal)
    let parts = [names, end].compactMap { $0 }
    return parts.isEmpty ? "0" : parts.joined(separator: "|")
  }
}
