// SPDX-License-Identifier: Apache-2.0

// Imported to link libdispatch, which exports the two functions below and is part of every program with
// tasks.
internal import Dispatch
internal import LinuxPrimitives

/// The queue of the main thread's tasks and blocks, drained by a loop other than libdispatch's.
///
/// `Task { @MainActor in … }` and `DispatchQueue.main.async` enqueue their work there. `dispatchMain()` would
/// drain it, but never returns and ends the main thread; a session ends, and its frames arrive through other
/// descriptors. Core Foundation's run loop has the same problem, and libdispatch exports these functions for
/// it.
enum MainQueue {
  /// Keeps libdispatch from calling syslog(3); call it before a second thread is created.
  ///
  /// Threads of libdispatch request priorities that only system services get, and log each refusal with
  /// syslog(3). In a sandbox, the socket of syslog(3) is denied, and the host would report that at the end of
  /// every session with tasks.
  static func disableLogging() { CurrentProcess.setEnvironmentDefault("LIBDISPATCH_LOG", "NO") }

  /// The eventfd that becomes readable when there is work.
  ///
  /// The first call creates the eventfd; it starts nothing else.
  static var descriptor: Int32 { mainQueueHandle() }

  /// Runs the queued work on the main thread; work that is enqueued meanwhile may wait for the next call.
  static func drain() {
    // Resets the counter of wake-ups, which has no other reader; later work is announced again.
    var count: UInt64 = 0
    _ = withUnsafeMutableBytes(of: &count) { Descriptor.readOnce(descriptor, into: $0) }
    drainMainQueue(nil)
  }

  /// Returns whether the queue has work.
  static func hasWork() throws(ExtensionFailure) -> Bool {
    do { return !(try Poller.wait([(descriptor, .readable)], until: 0)[0].isEmpty) } catch {
      throw .system(error)
    }
  }
}

/// The eventfd of the main queue; this function is provided because Core Foundation needs it
/// (`queue_internal.h`).
@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func mainQueueHandle() -> Int32

/// Runs the work in the main queue and ignores the argument; it traps on any thread but the main thread.
@_silgen_name("_dispatch_main_queue_callback_4CF")
private func drainMainQueue(_ ignored: UnsafeMutableRawPointer?)
