// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives

/// What a figure cannot be read without.
enum Machine {
  /// The kernel's version.
  static var kernel: String {
    let text = (try? FileSystem.contents("/proc/sys/kernel/osrelease")) ?? nil
    return "Linux " + String(decoding: text ?? [], as: UTF8.self).prefix { $0 != "\n" }
  }

  /// The number of processors.
  static var processors: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  /// The load of the last minutes: what the figures had to share the machine with.
  static var load: String {
    let text = (try? FileSystem.contents("/proc/loadavg")) ?? nil
    return String(decoding: text ?? [], as: UTF8.self).split(separator: " ").prefix(3).joined(separator: " ")
  }

  /// Figures of a debug build mean nothing; the report says so.
  static var build: String {
    #if DEBUG
      "DEBUG"
    #else
      "release"
    #endif
  }
}

/// Ends the program.
func exit(code: Int32) -> Never { Glibc.exit(code) }
