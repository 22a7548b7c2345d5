// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives
internal import Synchronization

/// The socket pair over which the host receives the listener of the filter.
///
/// Only one launch at a time uses a pair, so that listeners of different sessions cannot be confused. The
/// pair can be reused when its launch has received the message, because no other message can follow. A
/// session process that still has the other end is executing its program, which closes that end. Creating and
/// closing a pair takes the kernel as long as several steps of a launch.
final class LaunchReportSockets: Sendable {
  /// The descriptors that the extension's process sends before its program starts.
  struct Received: ~Copyable {
    /// The listener for refused calls.
    var listener: Descriptor
    /// The extension's process.
    var program: ProcessHandle?
    /// The mount namespaces of the session.
    var mounts: HeldMounts?
    /// A socket in the network namespace, if the plan requires the host to hold it.
    var network: Descriptor?
  }

  private let pair: SocketPair

  private init(_ pair: consuming SocketPair) { self.pair = pair }

  /// The descriptor of the extension's end.
  var sending: Int32 { pair.second.rawValue }

  /// The pair of the last launch that has received its message.
  private static let spare = Mutex<LaunchReportSockets?>(nil)

  /// Returns a pair for a launch.
  static func take() throws(SystemCallError) -> LaunchReportSockets {
    if let spare = spare.withLock({ $0.take() }) { return spare }
    return LaunchReportSockets(try SocketPair.make())
  }

  /// Receives the descriptors. Call it once, when the extension's program runs.
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

  /// Takes ownership of a descriptor, or returns `nil` if it was not sent.
  private static func owned(_ number: Int32) -> Descriptor? {
    number >= 0 ? Descriptor(owning: number) : nil
  }
}
