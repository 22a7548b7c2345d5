// SPDX-License-Identifier: Apache-2.0

// For its linking: the three functions below are libdispatch's, which every program with tasks contains already.
internal import Dispatch
internal import LinuxPrimitives

/// The main thread's queue of tasks and blocks, seen by a loop that is not libdispatch's own.
///
/// `Task { @MainActor in … }` and `DispatchQueue.main.async` put their work there. The usual way to have it done is
/// `dispatchMain()`, which never returns and ends the main thread; a session ends, and its frames come through other
/// descriptors. Core Foundation's run loop has the same problem, and libdispatch exports these functions for it.
enum MainQueue {
  /// Keeps libdispatch from calling syslog(3); before there is a second thread.
  ///
  /// Its threads want priorities that only the system's services get, and report each refusal there. In a sandbox that
  /// is a refused socket, which the host would name at the end of every session with tasks.
  static func silence() { CurrentProcess.setEnvironmentDefault("LIBDISPATCH_LOG", "NO") }

  /// What is readable when there is work. The first call makes the eventfd; nothing else is started.
  static var descriptor: Int32 { mainQueueHandle() }

  /// Does the work that is there now, in the main thread; work that it leads to may wait for the next call.
  static func drain() {
    // The count of wake-ups, which nobody else takes; what comes afterwards is announced anew.
    var count: UInt64 = 0
    _ = withUnsafeMutableBytes(of: &count) { Descriptor.readOnce(descriptor, into: $0) }
    drainMainQueue(nil)
  }

  /// Whether there is work at the moment.
  static func hasWork() throws(ExtensionFailure) -> Bool {
    do { return !(try Poller.wait([(descriptor, .readable)], until: 0)[0].isEmpty) } catch {
      throw .system(error)
    }
  }
}

/// The eventfd of the main queue; this function is provided because Core Foundation needs it (`queue_internal.h`).
@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func mainQueueHandle() -> Int32

/// Runs what is in the main queue; the argument is ignored. It traps in any thread but the main one.
@_silgen_name("_dispatch_main_queue_callback_4CF")
private func drainMainQueue(_ ignored: UnsafeMutableRawPointer?)
