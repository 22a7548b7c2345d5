// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives
internal import Synchronization

/// The durable, append-only ledger of a batch: a file with one JSON value in each line.
///
/// The first line is the definition. An entry is durable when ``append(_:)`` returns, so a line that a crash
/// truncates describes an event that has not happened yet. The object holds the lock of the batch.
package final class BatchLedger: Sendable {
  /// The definition of the batch.
  package let definition: BatchDefinition
  /// The path of the file.
  package let path: String
  private let file: Descriptor
  private let lock: FileLock
  private let end: Mutex<End>

  /// The end of the file.
  private struct End {
    /// The length up to the last complete entry, in bytes.
    var length: Int64
    /// The first error. Nothing is appended after an error, because the file may end with a partial line.
    var fault: StoreError?
  }

  /// The result of opening a ledger.
  package enum Opening: Sendable {
    /// The ledger, and its entries so far.
    case opened(BatchLedger, BatchHistory)
    /// Another process runs the batch.
    case busy
    /// The ledger belongs to a batch with the same name and this other definition.
    case different(BatchDefinition)
  }

  /// The time to wait for the lock of a host that was killed, in nanoseconds: its children share its open
  /// files until they have exited.
  private static let timeout: UInt64 = 2_000_000_000
  private static let lineBreak = UInt8(ascii: "\n")

  private init(
    _ definition: BatchDefinition,
    _ path: String,
    _ file: consuming Descriptor,
    _ lock: consuming FileLock,
    length: Int64
  ) {
    self.definition = definition
    self.path = path
    self.file = file
    self.lock = lock
    end = Mutex(End(length: length))
  }

  /// Opens the ledger of a batch, and creates it if it does not exist.
  ///
  /// - Throws: ``StoreError/damaged(path:_:)`` if a line other than the last one is invalid.
  package static func open(
    _ definition: BatchDefinition,
    in root: StateRoot
  ) throws(StoreError) -> Opening {
    let directory = root.batch(definition.name)
    try StateRoot.prepareDirectory(root.batchesDirectory)
    try StateRoot.prepareDirectory(directory)
    guard let lock = try claim("\(directory)/lock") else { return .busy }
    let path = "\(directory)/ledger.ndjson"
    let file = try system { () throws(SystemCallError) in
      let file = try FileSystem.open(path, [.readWrite, .create, .append, .noFollow])
      // The name of a new file must be as durable as its lines.
      if try file.status().size == 0 { try FileSystem.synchronizeDirectory(directory) }
      return file
    }
    let contents = try read(path)
    try system { () throws(SystemCallError) in
      guard try file.status().size != contents.length else { return }
      try file.truncate(to: contents.length)
      try file.synchronize()
    }
    if let found = contents.definition, found != definition { return .different(found) }
    let ledger = BatchLedger(definition, path, file, lock, length: contents.length)
    if contents.definition == nil { try ledger.append(line: definition.json) }
    return .opened(ledger, contents.history)
  }

  /// Appends an entry and makes it durable. Any thread may call this.
  package func append(_ entry: BatchEntry) throws(StoreError) {
    try append(line: entry.json(at: WallClock.milliseconds))
  }

  private func append(line: JSONValue) throws(StoreError) {
    let bytes = line.bytes(.compact) + [Self.lineBreak]
    // The next line is written when this one is durable, so that a power failure can damage only the last line.
    let fault = end.withLock { end -> StoreError? in
      if let fault = end.fault { return fault }
      do throws(SystemCallError) {
        try file.writeAll(bytes)
        try file.synchronize()
        end.length += Int64(bytes.count)
      } catch {
        try? file.truncate(to: end.length)
        end.fault = .system(error)
      }
      return end.fault
    }
    if let fault { throw fault }
  }

  /// Takes the lock of the batch, or returns `nil` if another process keeps it.
  private static func claim(_ path: String) throws(StoreError) -> FileLock? {
    try system { () throws(SystemCallError) in
      try FileLock.waitUntilFree(path, until: MonotonicClock.now + timeout)
      return try FileLock.tryLock(path)
    }
  }
}

// MARK: - Reading

extension BatchLedger {
  /// The valid beginning of a ledger.
  struct Contents {
    /// The definition, or `nil` if the first line is missing.
    var definition: BatchDefinition?
    /// The entries.
    var history = BatchHistory()
    /// The length of the valid lines, in bytes.
    var length: Int64 = 0
  }

  /// Reads a ledger. A last line that is invalid or incomplete was truncated by a crash and is ignored.
  static func read(_ path: String) throws(StoreError) -> Contents {
    let file = try system { () throws(SystemCallError) in try FileSystem.open(path, [.noFollow]) }
    var lines = try ForwardLineReader(file)
    var contents = Contents()
    var invalid: DocumentFault?
    while let line = try lines.next() {
      // Only the last line can be truncated.
      if let invalid { throw .damaged(path: path, invalid) }
      do throws(DocumentFault) {
        try contents.add(line)
        contents.length += Int64(line.count) + 1
      } catch { invalid = error }
    }
    return contents
  }
}

extension BatchLedger.Contents {
  /// Adds a line.
  fileprivate mutating func add(_ line: [UInt8]) throws(DocumentFault) {
    let value: JSONValue
    do throws(JSONSyntaxError) { value = try JSONNode.parse(line, limits: .record).value } catch {
      throw .syntax("\(error)")
    }
    let reader = DocumentReader(value)
    if definition == nil {
      definition = try BatchDefinition(reader)
    } else {
      history.add(try BatchEntry(reader))
    }
  }
}
