// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives

/// What is known of installed files that were read whole and had the digest that they were installed with, so that they
/// need not be read again as long as nobody has touched them.
///
/// Each is an empty file in a directory of the app's that is this user's alone, and its name says all: boot, file, times
/// and digest. Who can write there can write the digests of the installation as well, so it is as good as they are. It
/// stands for the file only where the kernel's time of change (`st_ctime`) tells of every change since:
///
/// - Nobody can set that time, but by setting the machine's clock.
/// - It was over two seconds old when the file was read: no later change can have the same, also where a file system
///   counts in seconds.
/// - Nobody had the file open for writing then, nor mapped: through a page that is writable already, a file is changed
///   without a new time.
/// - It lies on a file system that notes the first write through each mapping. A tmpfs does not.
/// - The machine was not started since: after a power failure a file can have new data and its old times.
///
/// Everywhere else the file is read again each time.
struct VerifiedFiles {
  /// Where it is noted.
  private let directory: String

  /// How many notes are kept of an app; when there are more, all files are read again as they are needed.
  private static let capacity = 64
  /// How old the last change must be, in nanoseconds.
  private static let rest: Int64 = 2_000_000_000
  /// ext2, ext3 and ext4; XFS; btrfs (statfs(2), `f_type`).
  private static let noticing: Set<Int> = [0xEF53, 0x5846_5342, 0x9123_683E]

  /// What is known of an app's files.
  init(appDirectory: String) { directory = "\(appDirectory)/verified" }

  /// Whether the open file still has the digest that was found.
  func contains(_ file: borrowing Descriptor, _ digest: SHA256Digest) -> Bool {
    guard let status = try? file.status(), let name = Self.name(status, digest),
      let note = try? FileSystem.status("\(directory)/\(name)")
    else { return false }
    return note.kind == .regular && note.owner == CurrentProcess.effectiveUserID
  }

  /// Reads the open file, and notes its digest for the next time if that is the one that it was installed with.
  func read(
    _ file: borrowing Descriptor,
    expecting installed: SHA256Digest
  ) throws(DigestError) -> SHA256Digest {
    let before = Self.settled(file)
    let found = try SHA256Digest.of(file)
    // What was changed meanwhile has another time.
    if found == installed, let before, let after = try? file.status(), after.changed == before.changed,
      let name = Self.name(before, found)
    {
      note(name)
    }
    return found
  }

  /// What the kernel knows of a file whose time of change will tell of the next change; nil: it will not.
  private static func settled(_ file: borrowing Descriptor) -> FileStatus? {
    guard let type = try? FileSystem.type(of: "/proc/self/fd/\(file.rawValue)"), noticing.contains(type),
      file.writers() == .none, let status = try? file.status(), status.kind == .regular,
      status.changed < WallClock.milliseconds * 1_000_000 - rest
    else { return nil }
    return status
  }

  /// What is noted of a file; nil where the kernel does not name this boot.
  private static func name(_ status: FileStatus, _ digest: SHA256Digest) -> String? {
    guard let boot = BootName.current else { return nil }
    let file = "\(status.device).\(status.inode).\(status.size).\(status.modified).\(status.changed)"
    return "\(boot).\(file).\(hexadecimalText(digest.bytes))"
  }

  /// Notes it; where that is not possible the file is read again the next time.
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

/// How files are compared with what was installed.
package enum DigestVerification: Sendable {
  /// Each is read.
  case reading
  /// The program, which can be large, is read only if it may have changed since it was read last.
  case unlessUnchanged
}
