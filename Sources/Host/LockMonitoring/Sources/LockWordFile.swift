// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// A file whose only word is `locked` or `unlocked`.
enum LockWordFile {
  /// The most bytes that a file with one word has.
  private static let limit = 64

  /// What the file says. Absent, unreadable, half written or anybody's: locked.
  static func read(_ path: String) -> LockReport {
    do {
      // Without waiting: a FIFO would never open. Without following: whoever owns the link would choose the file.
      let file = try FileSystem.open(path, [.noFollow, .nonBlocking])
      if let reason = distrust(try file.status(), path) { return LockReport(.locked, reason) }
      guard let bytes = try file.readAll(limit: limit), let state = state(bytes) else {
        return LockReport(.locked, .meaningless(path: path))
      }
      return LockReport(state, .said(path: path, state))
    } catch  where error.errno == .noSuchFile {
      return LockReport(.locked, .absent(path: path))
    } catch  where error.errno == .tooManyLinks {
      return LockReport(.locked, .notRegular(path: path, .symbolicLink))
    } catch { return LockReport(.locked, .unreadable(error)) }
  }

  /// Why such a file is not believed; nil if it is.
  private static func distrust(_ status: FileStatus, _ path: String) -> LockReason? {
    guard status.kind == .regular else { return .notRegular(path: path, status.kind) }
    guard status.owner == 0 || status.owner == CurrentProcess.effectiveUserID else {
      return .foreign(path: path, owner: status.owner)
    }
    return status.permissions & 0o022 == 0 ? nil : .writableByOthers(path: path)
  }

  /// The word, with nothing but white space around it.
  private static func state(_ bytes: [UInt8]) -> LockState? {
    let blank: Set<UInt8> = [9, 10, 13, 32]
    let words = bytes.split { blank.contains($0) }
    guard words.count == 1 else { return nil }
    return LockState(rawValue: String(decoding: words[0], as: UTF8.self))
  }
}
