// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives
internal import Synchronization

/// The pair of sockets over which the listener of the filter comes.
///
/// One launch at a time has it, so that no session's listener can be taken for another's. The next launch can have it when
/// this one has received what was sent, once: nothing is left in it then, and whoever of the session has the other end yet is
/// executing its program, with which that goes. To make a pair and to close it takes the kernel as long as several steps of a
/// launch.
final class LaunchReports: Sendable {
  /// What the extension's process sends before its program begins.
  struct Received: ~Copyable {
    /// Where the calls wait that the filter refuses.
    var listener: Descriptor
    /// The extension's process.
    var program: ProcessHandle?
    /// The mount namespaces of the session.
    var mounts: HeldMounts?
    /// A socket in its network namespace, where the plan wants that held.
    var network: Descriptor?
  }

  private let pair: SocketPair

  private init(_ pair: consuming SocketPair) { self.pair = pair }

  /// The extension's end.
  var sending: Int32 { pair.second.rawValue }

  /// Those that the last launch has received from.
  private static let spare = Mutex<LaunchReports?>(nil)

  /// Those of a launch.
  static func take() throws(SystemCallError) -> LaunchReports {
    if let spare = spare.withLock({ $0.take() }) { return spare }
    return LaunchReports(try SocketPair.make())
  }

  /// What has been sent by the time that the extension's program runs, once.
  func receive() throws(SandboxLaunchError) -> Received {
    var sent = (Int32(-1), Int32(-1), Int32(-1), Int32(-1), Int32(-1))
    let result = withUnsafeMutablePointer(to: &sent) {
      $0.withMemoryRebound(to: Int32.self, capacity: Int(DARKROOM_MOST_SENT)) {
        darkroom_receive_descriptors(pair.first.rawValue, $0)
      }
    }
    guard result == 0 else {
      throw .host(SystemCallError("recvmsg", errno: Errno(rawValue: -result)))
    }
    Self.spare.withLock { $0 = self }
    return Received(
      listener: Descriptor(owning: sent.0),
      program: sent.1 >= 0 ? ProcessHandle(owning: Descriptor(owning: sent.1)) : nil,
      mounts: HeldMounts(own: Self.owned(sent.2), hidden: Self.owned(sent.3)),
      network: Self.owned(sent.4)
    )
  }

  /// Takes over a descriptor; nil: it was not sent.
  private static func owned(_ number: Int32) -> Descriptor? {
    number >= 0 ? Descriptor(owning: number) : nil
  }
}
