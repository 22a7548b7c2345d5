// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives

/// The time of all processors since the machine was started (proc_stat(5)), in clock ticks.
struct ProcessorTime {
  /// The total time.
  let total: UInt64
  /// The time in which the processors were idle or waited for I/O.
  private let idle: UInt64

  /// The minimum time between two measurements, in clock ticks of all processors: a third of a second. This
  /// is less than the polling interval, to allow for rounding.
  static let minimumTicks = UInt64(sysconf(Int32(_SC_CLK_TCK)) * sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 3)

  /// Returns the time until now, or `nil` if the kernel does not report it.
  static func now() -> ProcessorTime? {
    guard let bytes = try? FileSystem.contents("/proc/stat"), let line = bytes.split(separator: 0x0A).first
    else { return nil }
    let numbers = line.split(separator: 0x20).dropFirst().compactMap {
      UInt64(String(decoding: $0, as: UTF8.self))
    }
    // The fields are user, nice, system, idle, iowait, irq, softirq and steal. The times of guests are
    // included in the first two.
    guard numbers.count >= 8 else { return nil }
    return ProcessorTime(total: numbers.prefix(8).reduce(0, +), idle: numbers[3] + numbers[4])
  }

  /// Returns the share of the time since `then` in which the processors were idle.
  func idleShare(since then: ProcessorTime) -> Double {
    Double(idle - min(idle, then.idle)) / Double(max(1, total - min(total, then.total)))
  }
}
