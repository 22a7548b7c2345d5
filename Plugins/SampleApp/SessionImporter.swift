// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Brings sessions from the app's container into its library, each exactly once.
struct SessionImporter: ~Copyable {
  private let content: String
  private let library: String
  private let lock: FileLock

  /// Prepares the library, and waits until no other run of the app is importing.
  init(container: String, library: String) throws(SystemCallError) {
    content = "\(container)/SessionContent"
    self.library = library
    try FileSystem.makeDirectories(library)
    lock = try FileLock.lock("\(library)/.lock")
  }

  /// Imports every session that is there; tells what it does. Returns how many were new.
  func importAll(_ report: (String) -> Void) throws(SystemCallError) -> Int {
    var ledger = try ImportLedger(path: "\(library)/imported")
    var count = 0
    for name in try FileSystem.names(in: content) {
      if name.hasPrefix(".removing-") {
        try FileSystem.removeTree("\(content)/\(name)")
      } else if !name.hasPrefix(".") {
        if !ledger.contains(name) {
          try importSession(name, report)
          try ledger.add(name)
          count += 1
        }
        try remove(name)
      }
    }
    return count
  }

  /// Copies a session so that it is in the library whole or not at all.
  private func importSession(_ name: String, _ report: (String) -> Void) throws(SystemCallError) {
    let temporary = "\(library)/.incoming-\(name)"
    let final = "\(library)/\(name)"
    try FileSystem.removeTree(temporary)
    // A run that died between the rename and the ledger has left this behind; it will be made again.
    try FileSystem.removeTree(final)
    try copyTree("\(content)/\(name)", to: temporary, report)
    try FileSystem.rename(temporary, to: final, .noReplace)
    try FileSystem.synchronizeDirectory(library)
    report("imported \(final)")
  }

  private func copyTree(
    _ source: String,
    to target: String,
    _ report: (String) -> Void
  ) throws(SystemCallError) {
    try FileSystem.makeDirectory(target)
    for name in try FileSystem.names(in: source) {
      let (old, new) = ("\(source)/\(name)", "\(target)/\(name)")
      switch try FileSystem.status(old)?.kind {
      case .directory: try copyTree(old, to: new, report)
      case .regular: try copyFile(old, to: new)
      case let kind: report("skipped \(old): \(kind.map(\.rawValue) ?? "gone")")
      }
    }
    try FileSystem.synchronizeDirectory(target)
  }

  private func copyFile(_ source: String, to target: String) throws(SystemCallError) {
    let input = try FileSystem.open(source, [.read, .noFollow])
    let output = try FileSystem.open(target, [.write, .create, .exclusive])
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
    defer { buffer.deallocate() }
    while case .bytes(let count) = try input.read(into: buffer) {
      try output.writeAll(Array(buffer[..<count]))
    }
    try output.synchronize()
  }

  /// Removes a session: first from sight, with one rename, then from the disk.
  private func remove(_ name: String) throws(SystemCallError) {
    let removing = "\(content)/.removing-\(name)"
    try FileSystem.rename("\(content)/\(name)", to: removing, .replace)
    try FileSystem.removeTree(removing)
  }
}

/// The sessions that were imported, one name a line.
struct ImportLedger {
  private let path: String
  private var names: [String]

  /// Reads the ledger; an absent one is empty.
  init(path: String) throws(SystemCallError) {
    self.path = path
    names = []
    guard try FileSystem.status(path) != nil else { return }
    let bytes = try FileSystem.contents(path) ?? []
    names = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Whether a session was imported.
  func contains(_ name: String) -> Bool { names.contains(name) }

  /// Notes that a session was imported; durable when this returns.
  mutating func add(_ name: String) throws(SystemCallError) {
    names.append(name)
    try FileSystem.replaceContents(path, with: Array((names.joined(separator: "\n") + "\n").utf8))
  }
}
