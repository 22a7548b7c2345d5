// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives

/// A record of installed files whose digests were verified, so that they need not be read again while they
/// are unchanged.
///
/// Each entry is an empty file in a directory of the app that only this user can write to. Its name contains
/// boot ID, inode, times and digest. A process that can write there can also write the digests of the
/// installation, so the entries are as trustworthy as those. An entry is valid only if the change time
/// (`st_ctime`) shows every later change:
///
/// - No process can set that time, except by setting the system time.
/// - The time was more than two seconds ago when the file was read. No later change has the same time, even
///   if the file system counts in seconds.
/// - No process had the file open or mapped for writing. A page that is already writable can be changed
///   without a new time.
/// - The file system records the first write through each mapping. A tmpfs does not.
/// - The machine has not been restarted. After a power failure, a file can have new data and its old times.
///
/// In all other cases, the file is read again.
struct VerifiedFiles {
  /// The directory of the entries.
  private let directory: String

  /// The maximum number of entries of an app. If there are more, all are removed.
  private static let capacity = 64
  /// The minimum age of the last change, in nanoseconds.
  private static let minimumAge: Int64 = 2_000_000_000
  /// ext2, ext3 and ext4; XFS; btrfs (statfs(2), `f_type`).
  private static let supportedFileSystems: Set<Int> = [0xEF53, 0x5846_5342, 0x9123_683E]

  /// Creates the record of an app.
  init(appDirectory: String) { directory = "\(appDirectory)/verified" }

  /// Returns whether the open file is known to have the digest.
  func contains(_ file: borrowing Descriptor, _ digest: SHA256Digest) -> Bool {
    guard let status = try? file.status(), let name = Self.name(status, digest),
      let note = try? FileSystem.status("\(directory)/\(name)")
    else { return false }
    return note.kind == .regular && note.owner == CurrentProcess.effectiveUserID
  }

  /// Returns the digest of the open file, and records the file if the digest is the installed one.
  func read(
    _ file: borrowing Descriptor,
    expecting installed: SHA256Digest
  ) throws(DigestError) -> SHA256Digest {
    let before = Self.stableStatus(file)
    let found = try SHA256Digest.of(file)
    // A change during the read has changed the time.
    if found == installed, let before, let after = try? file.status(), after.changed == before.changed,
      let name = Self.name(before, found)
    {
      note(name)
    }
    return found
  }

  /// Returns the status of a file whose change time will show the next change, or `nil` if it will not.
  private static func stableStatus(_ file: borrowing Descriptor) -> FileStatus? {
    guard let type = try? FileSystem.type(of: "/proc/self/fd/\(file.rawValue)"),
      supportedFileSystems.contains(type),
      file.writers() == .none, let status = try? file.status(), status.kind == .regular,
      status.changed < WallClock.milliseconds * 1_000_000 - minimumAge
    else { return nil }
    return status
  }

  /// Returns the name of an entry, or `nil` if the boot ID is unavailable.
  private static func name(_ status: FileStatus, _ digest: SHA256Digest) -> String? {
    guard let boot = BootID.current else { return nil }
    let file = "\(status.device).\(status.inode).\(status.size).\(status.modified).\(status.changed)"
    return "\(boot).\(file).\(hexadecimalText(digest.bytes))"
  }

  /// Adds an entry. On failure, the file is read again the next time.
  private func note(_ name: String) {
    do throws(SystemCallError) {
      try FileSystem.makeDirectories(directory)
      let names = try FileSystem.names(in: directory)
      if names.count >= Self.capacity {
        for name in names { try FileSystem.unlink("\(directory)/\(name)") }
      }
      _ = try FileSystem.open("\(directory)/\(name)", [.write, .create], mode: 0o600)
    } catch {}
  }
}

/// The way in which files are compared with the installed ones.
package enum DigestVerification: Sendable {
  /// All files are read.
  case reading
  /// The program, which can be large, is read only if it may have changed since its last verification.
  case unlessUnchanged
}
