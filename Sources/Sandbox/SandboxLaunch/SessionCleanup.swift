// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// The thread that releases the resources of ended sessions, and creates the pipes for the next launch.
final class SessionCleanup: Sendable {
  /// The resources of one session.
  private struct Resources: Sendable {
    /// The mount namespaces, or -1.
    var own: Int32 = -1, hidden: Int32 = -1
    /// The listener of the filter, or `nil`. When a filter is released, the kernel frees its compiled code at
    /// once, on the same processor.
    var listener: RefusalListener?

    /// Releases the resources on this thread, the mounts last.
    mutating func release() {
      listener = nil
      for descriptor in [own, hidden] where descriptor >= 0 { _ = Descriptor(owning: descriptor) }
    }
  }

  /// The instance of the process, created when its first session ends or earlier. It exists as long as the
  /// process.
  private static let shared = SessionCleanup()

  /// The queue of the thread.
  private let waiting = Mutex<[Resources]>([])
  /// The pipe that wakes the thread, which is never closed. If it is `nil`, there is no thread, and callers
  /// release resources themselves.
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
    _ = try PlainThread.start(name: "session-release") { releaseAll(wokenBy: source) }
  }

  /// Creates the thread now. It keeps the directory and processors of the calling thread.
  static func start() { _ = shared }

  /// Releases the resources of a session on that thread.
  static func release(_ mounts: consuming HeldMounts?, _ listener: RefusalListener?) {
    var leftover = Resources()
    if let mounts { (leftover.own, leftover.hidden) = mounts.release() }
    leftover.listener = listener
    guard leftover.own >= 0 || leftover.hidden >= 0 || leftover.listener != nil else { return }
    shared.take(leftover)
  }

  private func take(_ leftover: Resources) {
    guard let pipe else {
      var leftover = leftover
      return leftover.release()
    }
    waiting.withLock { $0.append(leftover) }
    // If this fails, the next call also releases these resources.
    _ = try? Descriptor.write([0], toNumber: pipe)
  }

  /// Releases the queued resources each time the thread is woken, until the process exits.
  private static func releaseAll(wokenBy source: Int32) {
    // The thread that queues resources continues first.
    PlainThread.useBatchScheduling()
    var byte: UInt8 = 0
    while withUnsafeMutableBytes(of: &byte, { Descriptor.readOnce(source, into: $0) }) == 1 {
      while var leftover = shared.waiting.withLock({ $0.popLast() }) {
        LaunchChannels.makeSpare()
        leftover.release()
      }
    }
  }
}
