// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// The thread that lets go what a host has held of sessions which have ended, and makes what the next launch talks over.
final class SessionRelease: Sendable {
  /// What is let go of one session.
  private struct Leftover: Sendable {
    /// Its mount namespaces; -1: none.
    var own: Int32 = -1, hidden: Int32 = -1
    /// What the calls came from that its filter refused; nil: nothing. To let a filter go has the kernel free what it has made
    /// of it, at once and on the same processor.
    var listener: RefusalListener?

    /// Does it on this thread, the mounts last.
    mutating func letGo() {
      listener = nil
      for descriptor in [own, hidden] where descriptor >= 0 { _ = Descriptor(owning: descriptor) }
    }
  }

  /// One for the whole process, made when its first session ends if not before, and there as long as the process is.
  private static let shared = SessionRelease()

  /// What waits for the thread.
  private let waiting = Mutex<[Leftover]>([])
  /// The pipe that wakes the thread; nil: there is none, and whoever has something to let go waits. It is never closed.
  private let pipe: Int32?

  private init() {
    do throws(SystemCallError) {
      let pipe = try Pipe.make()
      let source = try pipe.readEnd.duplicate().release()
      do { try Self.start(source) } catch {
        _ = Descriptor(owning: source)
        throw error
      }
      self.pipe = pipe.takeWriteEnd().release()
    } catch { pipe = nil }
  }

  private static func start(_ source: Int32) throws(SystemCallError) {
    _ = try PlainThread.start(name: "session-release") { letAllGo(wokenBy: source) }
  }

  /// Makes the thread now, on a thread whose directory and processors it may keep.
  static func begin() { _ = shared }

  /// Lets go what is left of a session, on that thread.
  static func letGo(_ mounts: consuming HeldMounts?, _ listener: RefusalListener?) {
    var leftover = Leftover()
    if let mounts { (leftover.own, leftover.hidden) = mounts.giveUp() }
    leftover.listener = listener
    guard leftover.own >= 0 || leftover.hidden >= 0 || leftover.listener != nil else { return }
    shared.take(leftover)
  }

  private func take(_ leftover: Leftover) {
    guard let pipe else {
      var leftover = leftover
      return leftover.letGo()
    }
    waiting.withLock { $0.append(leftover) }
    // Where that fails, the next one takes this one along.
    _ = try? Descriptor.write([0], toNumber: pipe)
  }

  /// Lets go what there is, each time it is woken, until the process ends.
  private static func letAllGo(wokenBy source: Int32) {
    // Whoever has something let go goes on first.
    PlainThread.standBack()
    var byte: UInt8 = 0
    while withUnsafeMutableBytes(of: &byte, { Descriptor.readOnce(source, into: $0) }) == 1 {
      while var leftover = shared.waiting.withLock({ $0.popLast() }) {
        LaunchChannels.makeSpare()
        leftover.letGo()
      }
    }
  }
}
