// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

extension TestHome {
  /// Returns the processes with a mount or an argument in this test home. These are all processes of its
  /// sessions, because session directories are below the state root.
  func processes() throws -> [Int32] {
    let all = try FileSystem.names(in: "/proc").compactMap { Int32($0) }.filter { $0 != getpid() }
    // A mount table contains the path in the mounted file system, and `/tmp` can be a file system of its own.
    let path = Array("/\(FileSystem.lastComponent(directory))".utf8)
    // Most processes share a mount table, and mount tables are long.
    var tables: [String: Bool] = [:]
    let mentioning = all.filter { process in
      if Self.mentions(path, process, "cmdline") { return true }
      guard let mountView = Self.mountView(process) else { return Self.mentions(path, process, "mountinfo") }
      if let known = tables[mountView] { return known }
      // The table belongs to this view only if the view is unchanged after reading.
      let found = Self.mentions(path, process, "mountinfo")
      if Self.mountView(process) == mountView { tables[mountView] = found }
      return found
    }
    // An extension has an empty mount table, but shares the PID namespace of its session init, which has one.
    let own = Self.pidNamespace(getpid())
    let namespaces = Set(mentioning.compactMap(Self.pidNamespace)).subtracting([own].compactMap { $0 })
    return all.filter { process in
      mentioning.contains(process) || Self.pidNamespace(process).map(namespaces.contains) ?? false
    }
  }

  /// Returns an identifier of the mounts that a process sees, or `nil` if the process has exited or is
  /// inaccessible.
  private static func mountView(_ process: Int32) -> String? {
    guard let pidNamespace = try? FileSystem.linkTarget("/proc/\(process)/ns/mnt"),
      let root = try? FileSystem.linkTarget("/proc/\(process)/root")
    else { return nil }
    return "\(pidNamespace) \(root)"
  }

  /// Returns whether a proc file of a process contains a path; false if the process has exited.
  private static func mentions(_ path: [UInt8], _ process: Int32, _ file: String) -> Bool {
    let bytes = try? FileSystem.open("/proc/\(process)/\(file)", .read).readAll(limit: 1 << 24)
    guard let bytes = bytes ?? nil else { return false }
    return ByteSearch.first(path, in: bytes) != nil
  }

  /// Returns the PID namespace of a process.
  private static func pidNamespace(_ process: Int32) -> String? {
    try? FileSystem.linkTarget("/proc/\(process)/ns/pid")
  }

  /// Waits until no process of a session is left.
  func waitForNoProcess(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try eventually { try processes().isEmpty }
    #expect(try processes() == [], sourceLocation: sourceLocation)
  }

  /// Waits until a condition is met or the timeout passes.
  func eventually(_ condition: () throws -> Bool) throws { _ = try TestTimeout.waitUntil(condition) }

  /// Checks that no session has left a process, mount, directory or temporary file.
  func expectNothingLeft(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try processes() == [], "processes", sourceLocation: sourceLocation)
    #expect(
      !Self.mentions(Array("/\(FileSystem.lastComponent(directory))/state/".utf8), getpid(), "mountinfo"),
      sourceLocation: sourceLocation
    )
    #expect(try names("sessions") == [], sourceLocation: sourceLocation)
    #expect(try names("trash") == [], sourceLocation: sourceLocation)
    let temporary = try FileSystem.names(in: directory).filter { $0.contains(".new.") }
    #expect(temporary == [], sourceLocation: sourceLocation)
  }
}
