// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import Testing

extension Place {
  /// The processes that have something of this place mounted, or that were started with its path: every process of a
  /// session does, for its session directory lies below the state root.
  func processes() throws -> [Int32] {
    let names = try FileSystem.names(in: "/proc")
    return names.compactMap { Int32($0) }.filter { process in
      guard process != getpid() else { return false }
      return ["mountinfo", "cmdline"].contains { file in
        // What has ended meanwhile is no process any more.
        guard let bytes = try? FileSystem.open("/proc/\(process)/\(file)", .read).readAll(limit: 1 << 24)
        else { return false }
        return String(decoding: bytes, as: UTF8.self).contains(directory)
      }
    }
  }

  /// Checks that no session has left anything: no process, no mount, no directory, no temporary file.
  func expectNothingLeft(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try processes() == [], "processes", sourceLocation: sourceLocation)
    let mounts = String(
      decoding: try FileSystem.open("/proc/self/mountinfo", .read).readAll(limit: 1 << 24) ?? [],
      as: UTF8.self
    )
    #expect(!mounts.contains("\(directory)/state/"), sourceLocation: sourceLocation)
    #expect(try names("sessions") == [], sourceLocation: sourceLocation)
    #expect(try names("trash") == [], sourceLocation: sourceLocation)
    let temporary = try FileSystem.names(in: directory).filter { $0.contains(".new.") }
    #expect(temporary == [], sourceLocation: sourceLocation)
  }
}
