// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A POSIX thread (pthread_create(3)) for work that blocks in the kernel and must not occupy the task pool.
///
/// All signals are blocked in the thread: other threads handle them, and a write to a pipe without a reader
/// only fails with `EPIPE`.
package struct PlainThread: ~Copyable, Sendable {
  /// The `pthread_t`, which is used once, to join or detach.
  ///
  /// It has another type because modules that store a thread would otherwise see two definitions of the C
  /// library.
  private let identifier: UInt

  /// Takes ownership of a new thread.
  private init(owning identifier: UInt) { self.identifier = identifier }

  deinit { pthread_detach(identifier) }

  /// The processors on which a thread starts.
  package enum Place: Sendable {
    /// The processor that the kernel chooses. The kernel may choose the creator's processor, and the thread
    /// then starts only when the creator waits.
    case anywhere
    /// A processor other than the creator's, if the creator may use another: the thread should start in
    /// parallel with its creator.
    case otherProcessor
  }

  /// Starts a thread. The kernel keeps the first 15 bytes of its name.
  package static func start(
    name: StaticString,
    place: Place = .anywhere,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemCallError) -> PlainThread {
    let work = Unmanaged.passRetained(Work(name: name, body: body))
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // The new thread inherits the mask, so that it never receives a signal.
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var identifier = pthread_t()
    let result =
      switch place {
      case .anywhere: pthread_create(&identifier, nil, { Work.run($0) }, work.toOpaque())
      case .otherProcessor:
        darkroom_create_thread_on_other_processor(&identifier, { Work.run($0) }, work.toOpaque())
      }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    if result != 0 {
      work.release()
      throw SystemCallError("pthread_create", errno: Errno(rawValue: result))
    }
    return PlainThread(owning: identifier)
  }

  /// Prevents the calling thread from preempting other threads when it wakes, without reducing its share of
  /// the processors. The corresponding policy is `SCHED_BATCH` (sched(7)).
  package static func useBatchScheduling() {
    var parameter = sched_param()
    // If the kernel refuses this, the thread keeps its policy.
    _ = sched_setscheduler(0, 3, &parameter)
  }

  /// Waits for the thread to exit.
  package consuming func join() {
    pthread_join(identifier, nil)
    discard self
  }

  /// The work of a thread.
  private final class Work: Sendable {
    /// The thread's name.
    let name: StaticString
    /// The function that the thread runs.
    let body: @Sendable () -> Void

    /// Creates the work of a thread.
    init(name: StaticString, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }

    /// Takes ownership of the work and runs it. This is the entry function of the thread.
    static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let argument else { return nil }
      let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
      _ = darkroom_prctl(PR_SET_NAME, UInt(bitPattern: work.name.utf8Start), 0, 0, 0)
      work.body()
      return nil
    }
  }
}
