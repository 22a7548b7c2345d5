// SPDX-License-Identifier: Apache-2.0

/// A formatter for structures of the kernel that may have been read only in part.
enum KernelStructures {
  /// Returns a little-endian number, or `nil` if it was not read completely.
  static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64? {
    guard offset >= 0, size <= 8, offset + size <= bytes.count else { return nil }
    return bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns a `struct open_how` as text.
  static func openHow(_ bytes: [UInt8]) -> String? {
    guard let flags = number(bytes, at: 0, size: 8), let mode = number(bytes, at: 8, size: 8) else {
      return nil
    }
    let resolve = number(bytes, at: 16, size: 8) ?? 0
    return "{flags=\(name("open", flags)), mode=\(ArgumentText.octal(UInt32(truncatingIfNeeded: mode))), "
      + "resolve=\(name("resolve", resolve))}"
  }

  /// Returns the start of a `struct perf_event_attr` as text.
  static func performanceEvent(_ bytes: [UInt8]) -> String? {
    guard let type = number(bytes, at: 0, size: 4), let configuration = number(bytes, at: 8, size: 8) else {
      return nil
    }
    return "{type=\(name("perfType", type)), config=\(ArgumentText.hexadecimal(configuration))}"
  }

  /// Returns the start of a `struct sched_attr` as text.
  static func schedulerAttributes(_ bytes: [UInt8]) -> String? {
    number(bytes, at: 4, size: 4).map { "{policy=\(name("scheduler", $0))}" }
  }

  /// Returns the names of a value in a family, or its hexadecimal number if it exceeds 32 bits.
  static func name(_ family: String, _ value: UInt64) -> String {
    guard let low = UInt32(exactly: value), let names = ConstantFamily.all[family] else {
      return ArgumentText.hexadecimal(value)
    }
    return names.text(low)
  }
}

/// A formatter for `struct clone_args`.
enum CloneArguments {
  /// The size of the first version of the structure, up to `tls`.
  static let size = 64

  /// Returns the flags and the termination signal as text; the other members are addresses.
  static func text(_ bytes: [UInt8]) -> String? {
    guard let flags = KernelStructures.number(bytes, at: 0, size: 8) else { return nil }
    let signal = KernelStructures.number(bytes, at: 32, size: 8) ?? 0
    // One flag is above 32 bits. This flag and later additions have no names here.
    let upper = flags >> 32
    let names = ConstantFamily.all["clone"]?.maskText(UInt32(truncatingIfNeeded: flags)) ?? "0"
    let beyond = upper == 0 ? "" : "|\(ArgumentText.hexadecimal(upper << 32))"
    return
      "{flags=\(names)\(beyond), exit_signal=\(signal == 0 ? "0" : KernelStructures.name("signal", signal))}"
  }
}
