// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import Testing

extension Place {
  /// The processes that have something of this place mounted, or that were started with its path: every process of a
  /// session does, for its session directory lies below the state root.
  func processes() throws -> [Int32] {
    let all = try FileSystem.names(in: "/proc").compactMap { Int32($0) }.filter { $0 != getpid() }
    let named = all.filter { process in
      ["mountinfo", "cmdline"].contains { Self.text(process, $0).contains(directory) }
    }
    // An extension has an empty mount table, but it is in the pid namespace of its session init, which has one.
    let own = Self.namespace(getpid())
    let namespaces = Set(named.compactMap(Self.namespace)).subtracting([own].compactMap { $0 })
    return all.filter { process in
      named.contains(process) || Self.namespace(process).map(namespaces.contains) ?? false
    }
  }

  /// What a file of a process says; nothing if the process has ended meanwhile.
  private static func text(_ process: Int32, _ file: String) -> String {
    let bytes = try? FileSystem.open("/proc/\(process)/\(file)", .read).readAll(limit: 1 << 24)
    return String(decoding: bytes.flatMap { $0 } ?? [], as: UTF8.self)
  }

  /// The pid namespace of a process.
  private static func namespace(_ process: Int32) -> String? {
    try? FileSystem.linkTarget("/proc/\(process)/ns/pid")
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
