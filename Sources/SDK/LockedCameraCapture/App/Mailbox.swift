// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText
package import LinuxPrimitives

/// The directory that contains the pending launches of an app, one file each.
///
/// A process claims a file by locking and then renaming it, so that exactly one of several processes has it.
/// The file is removed when the app's code receives the launch. If the process is killed before that, the
/// lock is released and the next process can claim the file.
package struct Mailbox: Sendable {
  /// The prefix of the names of claimed files.
  private static var claimedPrefix: String { ".taken-" }

  /// The path of the directory.
  let path: String

  /// Creates the mailbox of a directory.
  package init(path: String) { self.path = path }

  /// Returns the names of the pending files: first claimed ones, whose process may have died, then the
  /// others, oldest first.
  package func pendingNames() throws(SystemCallError) -> [String] {
    try FileSystem.names(in: path).filter { Self.identifier($0) != nil }
  }

  /// Returns the UUID of the delivery in a file name, or `nil` for other files.
  private static func identifier(_ name: String) -> String? {
    let text: Substring
    if name.hasPrefix(claimedPrefix) {
      text = name.dropFirst(claimedPrefix.count)
    } else {
      guard name.hasSuffix(".json"), name.prefix(15).allSatisfy(\.isWholeNumber),
        name.dropFirst(15).first == "-"
      else { return nil }
      text = name.dropFirst(16).dropLast(5)
    }
    return AppDelivery.isIdentifier(String(text)) ? String(text) : nil
  }

  /// Returns the delivery in a file without claiming it, or `nil` if the file was removed.
  ///
  /// A damaged file is renamed and reported on standard error, so that it does not block other deliveries.
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
      CurrentProcess.writeToStandardError("\(path)/\(name) is not a valid delivery and is renamed: \(error)")
      try? FileSystem.rename("\(path)/\(name)", to: "\(path)/.damaged-\(name)", .replace)
      return nil
    }
  }

  /// Claims a delivery, or returns `nil` if another process has claimed it.
  package func claim(_ name: String) throws(SystemCallError) -> ClaimedDelivery? {
    guard let identifier = Self.identifier(name),
      let lock = try FileLock.claimExisting("\(path)/\(name)")
    else { return nil }
    let claimedName = Self.claimedPrefix + identifier
    if name != claimedName {
      do { try FileSystem.rename("\(path)/\(name)", to: "\(path)/\(claimedName)", .noReplace) } catch
        where error.errno == .fileExists
      {
        // A host that was killed and recovered has written the same delivery twice; it is claimed once.
        try FileSystem.unlink("\(path)/\(name)")
        return nil
      }
    }
    guard let delivery = try peek(claimedName) else { return nil }
    return ClaimedDelivery(delivery, path: "\(path)/\(claimedName)", lock: lock)
  }
}

/// A delivery that only this process has claimed.
///
/// It returns to the mailbox if this value is destroyed or the process exits.
package final class ClaimedDelivery: Sendable {
  /// The content of the delivery.
  package let delivery: AppDelivery
  private let path: String
  private let lock: FileLock

  /// Takes ownership of a locked file.
  fileprivate init(_ delivery: AppDelivery, path: String, lock: consuming FileLock) {
    self.delivery = delivery
    self.path = path
    self.lock = lock
  }

  /// Removes the file durably; the app's code receives the launch now.
  package func remove() throws(SystemCallError) {
    try FileSystem.unlink(path)
    try FileSystem.synchronizeDirectory(FileSystem.directoryName(path))
  }
}
