// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// A file that contains one word, `locked` or `unlocked`.
enum LockStateFile {
  /// The maximum size of such a file, in bytes.
  private static let limit = 64

  /// Returns the state in a file. A missing, unreadable, incomplete or untrusted file counts as locked.
  static func read(_ path: String) -> LockReport {
    do {
      // Non-blocking, because opening a FIFO would block. Not following, because the owner of a link would
      // choose the file.
      let file = try FileSystem.open(path, [.noFollow, .nonBlocking])
      if let reason = trustFailure(try file.status(), path) { return LockReport(.locked, reason) }
      guard let bytes = try file.readAll(limit: limit), let state = state(bytes) else {
        return LockReport(.locked, .malformed(path: path))
      }
      return LockReport(state, .stated(path: path, state))
    } catch  where error.errno == .noSuchFile {
      return LockReport(.locked, .absent(path: path))
    } catch  where error.errno == .tooManyLinks {
      return LockReport(.locked, .notRegular(path: path, .symbolicLink))
    } catch { return LockReport(.locked, .unreadable(error)) }
  }

  /// Returns the reason not to trust a file, or `nil` if it can be trusted.
  private static func trustFailure(_ status: FileStatus, _ path: String) -> LockReason? {
    guard status.kind == .regular else { return .notRegular(path: path, status.kind) }
    guard status.owner == 0 || status.owner == CurrentProcess.effectiveUserID else {
      return .wrongOwner(path: path, owner: status.owner)
    }
    return status.permissions & 0o022 == 0 ? nil : .writableByOthers(path: path)
  }

  /// Returns the state if it is the only word of the file.
  private static func state(_ bytes: [UInt8]) -> LockState? {
    let blank: Set<UInt8> = [9, 10, 13, 32]
    let words = bytes.split { blank.contains($0) }
    guard words.count == 1 else { return nil }
    return LockState(rawValue: String(decoding: words[0], as: UTF8.self))
  }
}
