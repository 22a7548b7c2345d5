// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy

/// Creates the hard links in `/dev/shm` by which C libraries publish a named semaphore (sem_open(3)).
///
/// A filter cannot determine the directory of a link, and Landlock has no access right for links, so the
/// filter refuses every link(2). The host creates links between two plain names in `/dev/shm`, which is a
/// directory of the extension container. Such a link gives the extension no more than writing a second file
/// would.
struct SharedMemoryLinks: Sendable {
  /// The directory in the namespace of the session, with a trailing slash.
  private static let directory = "/dev/shm/"
  /// The corresponding constant is `NAME_MAX`.
  private static let longestName = 255

  private let link = SystemCallTable.number(of: "link")
  private let linkat = SystemCallTable.number(of: "linkat")

  /// Creates the service for a session that has a root of its own, or `nil` if its policy allows no named
  /// semaphores.
  init?(_ policy: ResolvedPolicy) {
    if policy.semaphores == .unnamed { return nil }
  }

  /// Creates the link that a waiting call asks for. Returns `nil` if the call is not about two names in
  /// `/dev/shm`.
  func create(_ call: RefusalListener.WaitingCall, _ listener: RefusalListener) -> RefusalListener
    .Emulation?
  {
    guard let (old, new) = addresses(call), let name = Self.name(call.thread, old),
      let other = Self.name(call.thread, new), let directory = Self.open(call.thread),
      // The path and the file belong to the waiting thread, and not to a later thread with the same ID.
      listener.isWaiting(call)
    else { return nil }
    do {
      try FileSystem.link(name, as: other, in: directory)
      return .done
    } catch { return .failed(error.errno) }
  }

  /// Returns the addresses of the two path arguments, or `nil` for another call.
  private func addresses(_ call: RefusalListener.WaitingCall) -> (old: UInt64, new: UInt64)? {
    switch call.number {
    case link: (call.arguments[0], call.arguments[1])
    // Absolute paths ignore the descriptors. Flags would follow a symbolic link, or allow an empty path.
    case linkat where call.arguments[4] == 0: (call.arguments[1], call.arguments[3])
    default: nil
    }
  }

  /// Reads a path of a thread. Returns its last component, or `nil` if it is not the path of an entry of
  /// `/dev/shm`.
  private static func name(_ thread: Int32, _ address: UInt64) -> String? {
    let room = directory.utf8.count + longestName + 1
    let bytes = RemoteMemory.read(thread: thread, address: address, count: room)
    guard let end = bytes.firstIndex(of: 0), bytes.starts(with: directory.utf8) else { return nil }
    guard let name = String(validating: bytes[directory.utf8.count..<end], as: UTF8.self),
      !["", ".", ".."].contains(name), !name.utf8.contains(UInt8(ascii: "/"))
    else { return nil }
    return name
  }

  /// Opens the directory that `/dev/shm` refers to in the root of a thread.
  ///
  /// The extension can replace the directory with a symbolic link, which is not followed. The parent
  /// directory is a mount point in a root that no process can change.
  private static func open(_ thread: Int32) -> Descriptor? {
    do {
      let container = try FileSystem.open("/proc/\(thread)/root/container", [.path, .directory, .noFollow])
      return try FileSystem.open("shm", in: .directory(container.rawValue), [.path, .directory, .noFollow])
    } catch { return nil }
  }
}
