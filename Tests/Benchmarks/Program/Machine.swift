// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import Glibc
import LinuxPrimitives

/// The machine that the figures are of.
enum Machine {
  /// What is to say of it, if it was begun at that load.
  static func facts(loadAtStart: String) -> MachineFacts {
    MachineFacts(
      // What builders append to the version says nothing to others.
      kernel: "Linux " + line("/proc/sys/kernel/osrelease").prefix { $0 != "-" },
      architecture: architecture,
      processors: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
      user: CurrentProcess.effectiveUserID == 0 ? "root" : "ordinary user",
      load: "\(loadAtStart) to \(load)",
      build: build
    )
  }

  /// The load of the last minute.
  static var load: String { line("/proc/loadavg").split(separator: " ").first.map(String.init) ?? "" }

  /// What its processors have done until now; nil where the kernel does not say.
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

/// Ends the program.
func exit(code: Int32) -> Never { Glibc.exit(code) }
