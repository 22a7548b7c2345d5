// SPDX-License-Identifier: Apache-2.0

/// Writes structures of the kernel, as far as they were read.
enum Structures {
  /// A number in the byte order of the machines that this runs on; nil if it was not read whole.
  static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64? {
    guard offset >= 0, size <= 8, offset + size <= bytes.count else { return nil }
    return bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A `struct open_how`.
  static func openHow(_ bytes: [UInt8]) -> String? {
    guard let flags = number(bytes, at: 0, size: 8), let mode = number(bytes, at: 8, size: 8) else {
      return nil
    }
    let resolve = number(bytes, at: 16, size: 8) ?? 0
    return "{flags=\(name("open", flags)), mode=\(ArgumentText.octal(UInt32(truncatingIfNeeded: mode))), "
      + "resolve=\(name("resolve", resolve))}"
  }

  /// The beginning of a `struct perf_event_attr`.
  static func performanceEvent(_ bytes: [UInt8]) -> String? {
    guard let type = number(bytes, at: 0, size: 4), let configuration = number(bytes, at: 8, size: 8) else {
      return nil
    }
    return "{type=\(name("perfType", type)), config=\(ArgumentText.hexadecimal(configuration))}"
  }

  /// The beginning of a `struct sched_attr`.
  static func schedulerAttributes(_ bytes: [UInt8]) -> String? {
    number(bytes, at: 4, size: 4).map { "{policy=\(name("scheduler", $0))}" }
  }

  /// A value in the names of a family, if it fits.
  static func name(_ family: String, _ value: UInt64) -> String {
    guard let low = UInt32(exactly: value), let names = ConstantFamily.all[family] else {
      return ArgumentText.hexadecimal(value)
    }
    return names.text(low)
  }
}

/// Writes a `struct clone_args`.
enum CloneArguments {
  /// The bytes of its first version, up to `tls`.
  static let size = 64

  /// The flags and the signal at the end of the new process; the rest is addresses.
  static func text(_ bytes: [UInt8]) -> String? {
    guard let flags = Structures.number(bytes, at: 0, size: 8) else { return nil }
    let signal = Structures.number(bytes, at: 32, size: 8) ?? 0
    // One flag is beyond 32 bits; it and whatever comes later has no name here.
    let upper = flags >> 32
    let names = ConstantFamily.all["clone"]?.maskText(UInt32(truncatingIfNeeded: flags)) ?? "0"
    let beyond = upper == 0 ? "" : "|\(ArgumentText.hexadecimal(upper << 32))"
    return "{flags=\(names)\(beyond), exit_signal=\(signal == 0 ? "0" : Structures.name("signal", signal))}"
  }
}
