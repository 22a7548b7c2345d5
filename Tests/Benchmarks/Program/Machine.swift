// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import Glibc
import LinuxPrimitives

/// The machine of the measurements.
enum Machine {
  /// Returns the facts of the machine, with the load average at the start of the run and now.
  static func facts(loadAtStart: String) -> MachineFacts {
    MachineFacts(
      // The suffix of a build is irrelevant for comparisons.
      kernel: "Linux " + line("/proc/sys/kernel/osrelease").prefix { $0 != "-" },
      architecture: architecture,
      processors: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
      user: CurrentProcess.effectiveUserID == 0 ? "root" : "ordinary user",
      load: "\(loadAtStart) to \(load)",
      build: build
    )
  }

  /// The load average of the last minute.
  static var load: String { line("/proc/loadavg").split(separator: " ").first.map(String.init) ?? "" }

  /// The processor times since boot, or `nil` if /proc/stat is unavailable.
  static var processorTimes: ProcessorTimes? {
    let text = ((try? FileSystem.contents("/proc/stat")) ?? nil) ?? []
    return ProcessorTimes(statistics: String(decoding: text, as: UTF8.self))
  }

  private static var architecture: String { line("/proc/sys/kernel/arch") }

  private static func line(_ path: String) -> String {
    let text = ((try? FileSystem.contents(path)) ?? nil) ?? []
    return String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  private static var build: String {
    #if DEBUG
      "DEBUG"
    #else
      "release"
    #endif
  }
}

/// Exits with a code.
func exit(code: Int32) -> Never { Glibc.exit(code) }
