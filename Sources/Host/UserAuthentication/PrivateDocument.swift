// SPDX-License-Identifier: Apache-2.0

package import Digests
internal import JSONText
package import LinuxPrimitives

/// A reason why authentication files cannot be used.
package enum AuthenticationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A system call failed.
  case system(SystemCallError)
  /// The content of a file is not valid.
  case damaged(path: String)
  /// A member of the configuration is not valid.
  case configuration(path: String, member: String)
  /// Other users can read or write the file.
  case notPrivate(path: String)
  /// A digest could not be computed.
  case digest(DigestError)
  /// The passcode is too short.
  case tooShort(minimum: Int)

  /// A sentence with the path, the problem and the fix.
  package var description: String {
    switch self {
    case .system(let error):
      "the authentication files cannot be read or written: \(error); correct their permissions"
    case .damaged(let path):
      "\(path) is damaged; restore it, or remove it as its owner and set the passcode or configuration again"
    case .configuration(let path, let member):
      "\(path): '\(member)' is not valid; correct the file, or write a new file with 'darkroom lock configure'"
    case .notPrivate(let path):
      "\(path) must be a regular file that only this user can read and write; run 'chmod 600 \(path)'"
    case .digest(let error): "\(error)"
    case .tooShort(let minimum): "the passcode is too short; use at least \(minimum) bytes"
    }
  }
}

/// Reads and writes small JSON documents that only this user can access.
enum PrivateDocument {
  /// Returns a document, or `nil` if the file does not exist.
  static func read(_ path: String) throws(AuthenticationError) -> JSONValue? {
    let bytes: [UInt8]?
    do {
      let file = try FileSystem.open(path, [.noFollow, .nonBlocking])
      let status = try file.status()
      guard status.kind == .regular, status.owner == CurrentProcess.effectiveUserID,
        status.permissions & 0o077 == 0
      else { throw AuthenticationError.notPrivate(path: path) }
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

  /// Writes a document atomically and durably.
  static func write(_ value: JSONValue, to path: String) throws(AuthenticationError) {
    do { try FileSystem.replaceContents(path, with: value.bytes(.indented)) } catch { throw .system(error) }
  }
}
