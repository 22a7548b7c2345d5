// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText
package import LinuxPrimitives

/// The directory in which an app finds why it was opened, one file each.
///
/// Who takes a file locks it first and then renames it, so that of several processes exactly one has it. It is removed
/// at the moment in which the app's code gets it: a process that is killed before that leaves a file whose lock is
/// free, and the next one finds it.
package struct Mailbox: Sendable {
  /// What the names of files begin with that somebody has taken.
  private static var taken: String { ".taken-" }

  /// The directory.
  let path: String

  /// The mailbox in a directory.
  package init(path: String) { self.path = path }

  /// The names of what waits: first what a process has taken that may have died, then the others, the oldest first.
  package func waiting() throws(SystemCallError) -> [String] {
    try FileSystem.names(in: path).filter { Self.identifier($0) != nil }
  }

  /// The delivery's UUID that a file's name has; nil for other files.
  private static func identifier(_ name: String) -> String? {
    let text: Substring
    if name.hasPrefix(taken) {
      text = name.dropFirst(taken.count)
    } else {
      guard name.hasSuffix(".json"), name.prefix(15).allSatisfy(\.isWholeNumber),
        name.dropFirst(15).first == "-"
      else { return nil }
      text = name.dropFirst(16).dropLast(5)
    }
    return AppDelivery.isIdentifier(String(text)) ? String(text) : nil
  }

  /// What is in a file, without taking it; nil if it is gone.
  ///
  /// One that is damaged is put aside, with a sentence on standard error, so that it holds nothing up.
  package func peek(_ name: String) throws(SystemCallError) -> AppDelivery? {
    let bytes: [UInt8]?
    do {
      bytes = try FileSystem.open("\(path)/\(name)", [.noFollow, .nonBlocking]).readAll(limit: 1 << 20)
    } catch  where error.errno == .noSuchFile || error.errno == .tooManyLinks {
      return nil
    }
    do {
      return try AppDelivery(json: try JSONNode.parse(bytes ?? [], limits: .document).value, name: name)
    } catch {
      CurrentProcess.complain("\(path)/\(name) is no delivery and is put aside: \(error)")
      try? FileSystem.rename("\(path)/\(name)", to: "\(path)/.damaged-\(name)", .replace)
      return nil
    }
  }

  /// Takes a delivery; nil if another process has it.
  package func claim(_ name: String) throws(SystemCallError) -> ClaimedDelivery? {
    guard let identifier = Self.identifier(name),
      let lock = try FileLock.claimExisting("\(path)/\(name)")
    else { return nil }
    let mine = Self.taken + identifier
    if name != mine {
      do { try FileSystem.rename("\(path)/\(name)", to: "\(path)/\(mine)", .noReplace) } catch
        where error.errno == .fileExists
      {
        // The same delivery was written twice, by a host that was killed and recovered; it is taken once.
        try FileSystem.unlink("\(path)/\(name)")
        return nil
      }
    }
    guard let delivery = try peek(mine) else { return nil }
    return ClaimedDelivery(delivery, path: "\(path)/\(mine)", lock: lock)
  }
}

/// A delivery that this process has, and no other; given back if this value goes away, or the process does.
package final class ClaimedDelivery: Sendable {
  /// What it says.
  package let delivery: AppDelivery
  private let path: String
  private let lock: FileLock

  /// Takes a locked file over.
  fileprivate init(_ delivery: AppDelivery, path: String, lock: consuming FileLock) {
    self.delivery = delivery
    self.path = path
    self.lock = lock
  }

  /// Removes it for good, durably: the app's code gets it now.
  package func remove() throws(SystemCallError) {
    try FileSystem.unlink(path)
    try FileSystem.synchronizeDirectory(FileSystem.directoryName(path))
  }
}
