// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives

/// The pair of sockets over which the listener of the filter comes: of one launch alone, so that no session's can be taken
/// for another's.
final class LaunchReports: Sendable {
  /// What the extension's process sends before its program begins.
  struct Received: ~Copyable {
    /// Where the calls wait that the filter refuses.
    var listener: Descriptor
    /// The extension's process.
    var program: ProcessHandle?
    /// The mount namespaces of the session.
    var mounts: HeldMounts?
  }

  private let pair: SocketPair

  private init(_ pair: consuming SocketPair) { self.pair = pair }

  /// The extension's end.
  var sending: Int32 { pair.second.rawValue }

  static func make() throws(SandboxLaunchError) -> LaunchReports {
    do throws(SystemCallError) {
      return LaunchReports(try SocketPair.make())
    } catch { throw .host(error) }
  }

  /// What has been sent by the time that the extension's program runs.
  func receive() throws(SandboxLaunchError) -> Received {
    var numbers = [Int32](repeating: -1, count: Int(DARKROOM_MOST_SENT))
    let count = darkroom_receive_descriptors(pair.first.rawValue, &numbers)
    guard count > 0 else {
      throw .host(SystemCallError("recvmsg", errno: Errno(rawValue: -count)))
    }
    return Received(
      listener: Descriptor(owning: numbers[0]),
      program: count > 1 ? ProcessHandle(owning: Descriptor(owning: numbers[1])) : nil,
      mounts: HeldMounts(
        own: count > 2 ? Descriptor(owning: numbers[2]) : nil,
        hidden: count > 3 ? Descriptor(owning: numbers[3]) : nil
      )
    )
  }
}
