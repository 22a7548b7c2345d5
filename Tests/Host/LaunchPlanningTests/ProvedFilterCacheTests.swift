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
@Suite struct ProvedFilterCacheTests {
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
  private func loadedFilter() throws -> [UInt8] {
    try ProvedFilterCache(stateRoot: root.path).filter(for: policy, .reported).instructions
  }

  /// Returns the path of the stored filter.
  private func file() throws -> String {
    let names = try FileSystem.names(in: "\(root.path)/filters")
    #expect(names.count == 1)
    return "\(root.path)/filters/\(try #require(names.first))"
  }

  private func overwrite(_ bytes: [UInt8], in path: String) throws {
    try FileSystem.open(path, [.write, .truncate]).writeAll(bytes)
  }

  /// Returns a different program with the same behavior: an unreachable instruction is appended.
  private func padded(_ filter: [UInt8]) -> [UInt8] { filter + [0x06, 0, 0, 0, 0, 0, 0, 0] }

  /// Returns a filter that allows refused calls (`SECCOMP_RET_ERRNO | EPERM` becomes `SECCOMP_RET_ALLOW`).
  private func weakened(_ filter: [UInt8]) -> [UInt8] {
    var filter = filter
    for offset in stride(from: 0, to: filter.count, by: 8)
    where filter[offset..<offset + 8].elementsEqual([0x06, 0, 0, 0, 1, 0, 5, 0]) {
      filter.replaceSubrange(offset + 4..<offset + 8, with: [0, 0, 0xFF, 0x7F])
    }
    return filter
  }

  @Test func `a later host uses the stored filter`() throws {
    #expect(try loadedFilter() == compiled.instructions)
    let file = try file()
    #expect(try FileSystem.contents(file) == compiled.instructions)
    #expect(try FileSystem.status(file)?.permissions == 0o600)
    // The content of the file is used if it can be verified.
    try overwrite(padded(compiled.instructions), in: file)
    #expect(try loadedFilter() == padded(compiled.instructions))
  }

  @Test func `replaces a stored filter that allows more than the policy`() throws {
    _ = try loadedFilter()
    let file = try file()
    let weak = weakened(compiled.instructions)
    #expect(weak != compiled.instructions)
    try overwrite(weak, in: file)
    #expect(try loadedFilter() == compiled.instructions)
    #expect(try FileSystem.contents(file) == compiled.instructions)
  }

  @Test(arguments: [0, 1, 8, 100, 807])
  func `replaces a stored filter that a crash has truncated`(length: Int) throws {
    _ = try loadedFilter()
    let file = try file()
    try overwrite(Array(compiled.instructions.prefix(length)), in: file)
    #expect(try loadedFilter() == compiled.instructions)
    #expect(try FileSystem.contents(file) == compiled.instructions)
  }

  @Test func `ignores a stored filter that is too long, a link, a directory or a pipe`() throws {
    _ = try loadedFilter()
    let file = try file()
    try overwrite(Array(repeating: 6, count: 1 << 16), in: file)
    #expect(try loadedFilter() == compiled.instructions)
    let elsewhere = "\(directory.path)/elsewhere"
    try FileSystem.open(elsewhere, [.write, .create], mode: 0o600).writeAll(padded(compiled.instructions))
    try FileSystem.unlink(file)
    try FileSystem.makeSymbolicLink(file, to: elsewhere)
    #expect(try loadedFilter() == compiled.instructions)
    #expect(try FileSystem.contents(elsewhere) == padded(compiled.instructions))
    try FileSystem.unlink(file)
    try FileSystem.makeDirectory(file)
    #expect(try loadedFilter() == compiled.instructions)
    // Opening a named pipe must not block.
    try FileSystem.removeDirectory(file)
    try #require(mkfifo(file, 0o600) == 0)
    #expect(try loadedFilter() == compiled.instructions)
  }

  @Test func `each policy has its own file and nothing is written outside a state root`() throws {
    _ = try loadedFilter()
    let strict = try PolicyFinder.find("strict").policy
    _ = try ProvedFilterCache(stateRoot: root.path).filter(for: strict, .silent)
    #expect(try FileSystem.names(in: "\(root.path)/filters").count == 2)
    let other = "\(directory.path)/other"
    try FileSystem.makeDirectory(other)
    _ = try ProvedFilterCache(stateRoot: other).filter(for: policy, .reported)
    #expect(try FileSystem.names(in: other).isEmpty)
  }
}
