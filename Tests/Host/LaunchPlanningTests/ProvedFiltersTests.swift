// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchPlanning
import LinuxPrimitives
import SandboxEnforcement
import SandboxLaunch
import SandboxPolicy
import SessionStore
import TestSupport
import Testing

/// Filters that an earlier host has compiled: they are used only if they are verified again.
@Suite struct ProvedFiltersTests {
  private let directory: ScratchDirectory
  private let root: StateRoot
  private let policy: ResolvedPolicy
  private let compiled: SeccompFilter

  init() throws {
    directory = try ScratchDirectory()
    root = try StateRoot.resolve(option: "\(directory.path)/state") { _ in nil }
    try root.prepare()
    policy = try PolicyFinder.find("base").policy
    compiled = try SeccompCompiler.compile(policy)
  }

  /// Returns the filter that a new host uses.
  private func asked() throws -> [UInt8] {
    try ProvedFilters(stateRoot: root.path).filter(for: policy, .reported).instructions
  }

  /// Returns the path of the stored filter.
  private func file() throws -> String {
    let names = try FileSystem.names(in: "\(root.path)/filters")
    #expect(names.count == 1)
    return "\(root.path)/filters/\(try #require(names.first))"
  }

  private func plant(_ bytes: [UInt8], in path: String) throws {
    try FileSystem.open(path, [.write, .truncate]).writeAll(bytes)
  }

  /// Returns a different program with the same behavior: an unreachable instruction is appended.
  private func longer(_ filter: [UInt8]) -> [UInt8] { filter + [0x06, 0, 0, 0, 0, 0, 0, 0] }

  /// Returns a filter that allows refused calls (`SECCOMP_RET_ERRNO | EPERM` becomes `SECCOMP_RET_ALLOW`).
  private func open(_ filter: [UInt8]) -> [UInt8] {
    var filter = filter
    for place in stride(from: 0, to: filter.count, by: 8)
    where filter[place..<place + 8].elementsEqual([0x06, 0, 0, 0, 1, 0, 5, 0]) {
      filter.replaceSubrange(place + 4..<place + 8, with: [0, 0, 0xFF, 0x7F])
    }
    return filter
  }

  @Test func `the next host takes what was compiled`() throws {
    #expect(try asked() == compiled.instructions)
    let file = try file()
    #expect(try FileSystem.contents(file) == compiled.instructions)
    #expect(try FileSystem.status(file)?.permissions == 0o600)
    // The content of the file is used if it can be verified.
    try plant(longer(compiled.instructions), in: file)
    #expect(try asked() == longer(compiled.instructions))
  }

  @Test func `a file that allows more is not used, and is replaced`() throws {
    _ = try asked()
    let file = try file()
    let weak = open(compiled.instructions)
    #expect(weak != compiled.instructions)
    try plant(weak, in: file)
    #expect(try asked() == compiled.instructions)
    #expect(try FileSystem.contents(file) == compiled.instructions)
  }

  @Test(arguments: [0, 1, 8, 100, 807])
  func `what a crash has left of a file is not used, and is replaced`(length: Int) throws {
    _ = try asked()
    let file = try file()
    try plant(Array(compiled.instructions.prefix(length)), in: file)
    #expect(try asked() == compiled.instructions)
    #expect(try FileSystem.contents(file) == compiled.instructions)
  }

  @Test func `a file that is too long, a link and a directory are not used`() throws {
    _ = try asked()
    let file = try file()
    try plant(Array(repeating: 6, count: 1 << 16), in: file)
    #expect(try asked() == compiled.instructions)
    let elsewhere = "\(directory.path)/elsewhere"
    try FileSystem.open(elsewhere, [.write, .create], mode: 0o600).writeAll(longer(compiled.instructions))
    try FileSystem.unlink(file)
    try FileSystem.makeSymbolicLink(file, to: elsewhere)
    #expect(try asked() == compiled.instructions)
    #expect(try FileSystem.contents(elsewhere) == longer(compiled.instructions))
    try FileSystem.unlink(file)
    try FileSystem.makeDirectory(file)
    #expect(try asked() == compiled.instructions)
    // Opening a named pipe must not block.
    try FileSystem.removeDirectory(file)
    try #require(mkfifo(file, 0o600) == 0)
    #expect(try asked() == compiled.instructions)
  }

  @Test func `each policy has its own file, and a place that is no state root is left alone`() throws {
    _ = try asked()
    let strict = try PolicyFinder.find("strict").policy
    _ = try ProvedFilters(stateRoot: root.path).filter(for: strict, .silent)
    #expect(try FileSystem.names(in: "\(root.path)/filters").count == 2)
    let other = "\(directory.path)/other"
    try FileSystem.makeDirectory(other)
    _ = try ProvedFilters(stateRoot: other).filter(for: policy, .reported)
    #expect(try FileSystem.names(in: other).isEmpty)
  }
}
