// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A set of names in a file that one process at a time changes. Each change appends one short line.
///
/// A change survives the process when the call returns, and a power failure after ``synchronize()``. After a
/// crash, the set is as it was before or after one of the last changes. The file is rewritten on opening if
/// it has more outdated than current lines.
package final class NameLedger: Sendable {
  private let held: Mutex<Set<String>>
  private let file: Descriptor
  /// The lock is held as long as this value or the process exists.
  private let lock: FileLock

  /// The maximum time to wait for another holder, in nanoseconds. A holder that has just exited may still
  /// release the lock in a thread, or in a child that has not executed its program yet.
  private static var lockTimeout: UInt64 { 1_000_000_000 }

  /// Opens the ledger at a path, creating the file if necessary. Returns `nil` if another process holds the
  /// lock for longer than the timeout.
  ///
  /// The lock is a separate file, whose name ends with `.lock`.
  package static func open(_ path: String) throws(SystemCallError) -> NameLedger? {
    guard let lock = try waitForLock("\(path).lock") else { return nil }
    let text: [UInt8]
    do { text = try FileSystem.contents(path) ?? [] } catch  where error.errno == .noSuchFile { text = [] }
    var names: Set<String> = []
    let lines = text.split(separator: newline, omittingEmptySubsequences: false)
    // Text after the last newline is a line that a crash interrupted.
    for line in lines.dropLast() { apply(line, to: &names) }
    if !(lines.last ?? []).isEmpty || lines.count > 2 * names.count + slack {
      try FileSystem.replaceContents(path, with: self.text(names.sorted(), added))
    }
    let file = try FileSystem.open(path, [.write, .create, .append], mode: 0o600)
    try FileSystem.synchronizeDirectory(FileSystem.directoryName(path))
    return NameLedger(names: names, file: file, lock: lock)
  }

  private static func waitForLock(_ path: String) throws(SystemCallError) -> FileLock? {
    let deadline = MonotonicClock.now + lockTimeout
    while true {
      if let lock = try FileLock.tryLock(path) { return lock }
      guard MonotonicClock.now < deadline else { return nil }
      MonotonicClock.sleep(milliseconds: 10)
    }
  }

  /// The names in the set.
  package var names: Set<String> { held.withLock { $0 } }

  private init(names: Set<String>, file: consuming Descriptor, lock: consuming FileLock) {
    held = Mutex(names)
    self.file = file
    self.lock = lock
  }

  /// Adds names in a single write.
  package func insert(_ new: [String]) throws(SystemCallError) {
    try held.withLock { names throws(SystemCallError) in
      try write(Set(new).subtracting(names), Self.added)
      names.formUnion(new)
    }
  }

  /// Removes names in a single write.
  package func remove(_ old: [String]) throws(SystemCallError) {
    try held.withLock { names throws(SystemCallError) in
      try write(names.intersection(old), Self.removed)
      names.subtract(old)
    }
  }

  private func write(_ names: Set<String>, _ mark: UInt8) throws(SystemCallError) {
    guard !names.isEmpty else { return }
    try file.writeAll(Self.text(names.sorted(), mark))
  }

  /// Makes all changes durable.
  package func synchronize() throws(SystemCallError) { try file.synchronize() }

  private static let added = UInt8(ascii: "+")
  private static let removed = UInt8(ascii: "-")
  private static let newline = UInt8(ascii: "\n")
  /// The number of outdated lines below which the file is not rewritten.
  private static var slack: Int { 256 }

  private static func text(_ names: [String], _ mark: UInt8) -> [UInt8] {
    names.flatMap { [mark] + Array($0.utf8) + [newline] }
  }

  private static func apply(_ line: ArraySlice<UInt8>, to names: inout Set<String>) {
    let name = String(decoding: line.dropFirst(), as: UTF8.self)
    switch line.first {
    case added: names.insert(name)
    case removed: names.remove(name)
    default: break
    }
  }
}
