// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

extension Place {
  /// The processes that have something of this place mounted, or that were started with its path: every process of a
  /// session does, for its session directory lies below the state root.
  func processes() throws -> [Int32] {
    let all = try FileSystem.names(in: "/proc").compactMap { Int32($0) }.filter { $0 != getpid() }
    let path = Array(directory.utf8)
    // Most processes see the same mounts, and a table of them is long.
    var tables: [String: Bool] = [:]
    let named = all.filter { process in
      if Self.isNamed(path, process, "cmdline") { return true }
      guard let view = Self.view(process) else { return Self.isNamed(path, process, "mountinfo") }
      if let known = tables[view] { return known }
      // Only if it was the same before and after is this the table of that view.
      let found = Self.isNamed(path, process, "mountinfo")
      if Self.view(process) == view { tables[view] = found }
      return found
    }
    // An extension has an empty mount table, but it is in the pid namespace of its session init, which has one.
    let own = Self.namespace(getpid())
    let namespaces = Set(named.compactMap(Self.namespace)).subtracting([own].compactMap { $0 })
    return all.filter { process in
      named.contains(process) || Self.namespace(process).map(namespaces.contains) ?? false
    }
  }

  /// What decides which mounts a process sees; nil if the process has ended, or hides it.
  private static func view(_ process: Int32) -> String? {
    guard let namespace = try? FileSystem.linkTarget("/proc/\(process)/ns/mnt"),
      let root = try? FileSystem.linkTarget("/proc/\(process)/root")
    else { return nil }
    return "\(namespace) \(root)"
  }

  /// Whether a file of a process has a path in it; not if the process has ended meanwhile.
  private static func isNamed(_ path: [UInt8], _ process: Int32, _ file: String) -> Bool {
    let bytes = try? FileSystem.open("/proc/\(process)/\(file)", .read).readAll(limit: 1 << 24)
    guard let bytes = bytes ?? nil else { return false }
    return ByteSearch.first(path, in: bytes) != nil
  }

  /// The pid namespace of a process.
  private static func namespace(_ process: Int32) -> String? {
    try? FileSystem.linkTarget("/proc/\(process)/ns/pid")
  }

  /// Waits until no process of a session is left.
  func waitForNoProcess(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try eventually { try processes().isEmpty }
    #expect(try processes() == [], sourceLocation: sourceLocation)
  }

  /// Waits until something is so.
  func eventually(_ isSo: () throws -> Bool) throws { _ = try TestPatience.comes(isSo) }

  /// Checks that no session has left anything: no process, no mount, no directory, no temporary file.
  func expectNothingLeft(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try processes() == [], "processes", sourceLocation: sourceLocation)
    #expect(
      !Self.isNamed(Array("\(directory)/state/".utf8), getpid(), "mountinfo"),
      sourceLocation: sourceLocation
    )
    #expect(try names("sessions") == [], sourceLocation: sourceLocation)
    #expect(try names("trash") == [], sourceLocation: sourceLocation)
    let temporary = try FileSystem.names(in: directory).filter { $0.contains(".new.") }
    #expect(temporary == [], sourceLocation: sourceLocation)
  }
}
