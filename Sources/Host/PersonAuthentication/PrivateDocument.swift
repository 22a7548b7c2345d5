// SPDX-License-Identifier: Apache-2.0

package import Digests
internal import JSONText
package import LinuxPrimitives

/// Why authentication cannot do its work.
package enum AuthenticationFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// A system call failed.
  case system(SystemCallError)
  /// A file does not hold what Darkroom writes to it.
  case damaged(path: String)
  /// A member of the configuration is not what it should be.
  case configuration(path: String, member: String)
  /// Somebody else could have read or written the file.
  case notPrivate(path: String)
  /// There is no digest.
  case digest(DigestError)
  /// The passcode is too short.
  case tooShort(minimum: Int)

  /// What is wrong, where, and the mend.
  package var description: String {
    switch self {
    case .system(let error):
      "authentication cannot use its files: \(error); mend their permissions or the disk"
    case .damaged(let path): "\(path) is damaged; restore it, or remove it as its owner and set it again"
    case .configuration(let path, let member):
      "\(path): \"\(member)\" is not what it should be; mend it, or write a new one with: darkroom lock configure"
    case .notPrivate(let path):
      "\(path) must be a regular file of this user's that nobody else can read or write; run: chmod 600 \(path)"
    case .digest(let error): "\(error)"
    case .tooShort(let minimum): "the passcode is too short; take at least \(minimum) bytes"
    }
  }
}

/// A small document that is this user's alone.
enum PrivateDocument {
  /// Reads a document; nil if there is none.
  static func read(_ path: String) throws(AuthenticationFault) -> JSONValue? {
    let bytes: [UInt8]?
    do {
      let file = try FileSystem.open(path, [.noFollow, .nonBlocking])
      let status = try file.status()
      guard status.kind == .regular, status.owner == CurrentProcess.effectiveUserID,
        status.permissions & 0o077 == 0
      else { throw AuthenticationFault.notPrivate(path: path) }
      bytes = try file.readAll(limit: 1 << 16)
    } catch let error as SystemCallError {
      if error.errno == .noSuchFile { return nil }
      throw .system(error)
    } catch {
      throw .notPrivate(path: path)
    }
    guard let bytes, let value = try? JSONNode.parse(bytes, limits: .document).value else {
      throw .damaged(path: path)
    }
    return value
  }

  /// Writes a document, wholly or not at all, and durably.
  static func write(_ value: JSONValue, to path: String) throws(AuthenticationFault) {
    do { try FileSystem.replaceContents(path, with: value.bytes(.indented)) } catch { throw .system(error) }
  }
}
