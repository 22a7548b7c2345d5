// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives

/// What all processors together have done since the machine was started (proc_stat(5)), in clock ticks.
struct ProcessorTime {
  /// All of it.
  let total: UInt64
  /// Without anything to do.
  private let idle: UInt64

  /// What half a second of all processors has at least of it, but for rounding.
  static let least = UInt64(sysconf(Int32(_SC_CLK_TCK)) * sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 3)

  /// Until now; nil where the kernel does not say it.
  static func now() -> ProcessorTime? {
    guard let bytes = try? FileSystem.contents("/proc/stat"), let line = bytes.split(separator: 0x0A).first
    else { return nil }
    let numbers = line.split(separator: 0x20).dropFirst().compactMap {
      UInt64(String(decoding: $0, as: UTF8.self))
    }
    // User, nice, system, idle, waiting for a disk, and what the machine below has taken; guests are in the first two.
    guard numbers.count >= 8 else { return nil }
    return ProcessorTime(total: numbers.prefix(8).reduce(0, +), idle: numbers[3] + numbers[4])
  }

  /// The share of the time since then in which there was nothing to do.
  func idleShare(since then: ProcessorTime) -> Double {
    Double(idle - min(idle, then.idle)) / Double(max(1, total - min(total, then.total)))
  }
}
