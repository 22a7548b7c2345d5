// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A thread of its own (pthread_create(3)), for work that waits in the kernel and must not hold up the task pool.
///
/// All signals are blocked in it: they belong to whoever watches for them, and a write to a pipe that nobody reads
/// gives `EPIPE` and nothing else.
package struct PlainThread: ~Copyable, Sendable {
  /// The C library's name for it, a `pthread_t`; used only to join or detach, once.
  ///
  /// It is not of that type because modules that store a thread would then see two definitions of the C library.
  private let identifier: UInt

  /// Takes over a thread that was just made.
  private init(owning identifier: UInt) { self.identifier = identifier }

  deinit { pthread_detach(identifier) }

  /// Where a thread runs.
  package enum Place: Sendable {
    /// Where the kernel likes. It can begin it where its maker runs, and then nothing is done before that waits.
    case anywhere
    /// On any processor that its maker may use and is not on, if there is one: it is to work beside its maker, for a moment.
    case beside
  }

  /// Starts a thread; the kernel keeps the first 15 bytes of its name.
  package static func start(
    name: StaticString,
    place: Place = .anywhere,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemCallError) -> PlainThread {
    let work = Unmanaged.passRetained(Work(name: name, body: body))
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // The new thread inherits the mask, so that there is no moment in which a signal could arrive in it.
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var identifier = pthread_t()
    let result =
      switch place {
      case .anywhere: pthread_create(&identifier, nil, { Work.run($0) }, work.toOpaque())
      case .beside: darkroom_create_thread_beside(&identifier, { Work.run($0) }, work.toOpaque())
      }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    if result != 0 {
      work.release()
      throw SystemCallError("pthread_create", errno: Errno(rawValue: result))
    }
    return PlainThread(owning: identifier)
  }

  /// Has the calling thread never take a processor from another one of its kind by being woken, from now on. It gets as much
  /// of them as before. The corresponding policy is `SCHED_BATCH` (sched(7)).
  package static func standBack() {
    var parameter = sched_param()
    // Where it is refused the thread works as others do.
    _ = sched_setscheduler(0, 3, &parameter)
  }

  /// Waits until the thread has ended.
  package consuming func join() {
    pthread_join(identifier, nil)
    discard self
  }

  /// What a thread is given.
  private final class Work: Sendable {
    /// The thread's name.
    let name: StaticString
    /// What it does.
    let body: @Sendable () -> Void

    /// Keeps what the thread will do.
    init(name: StaticString, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }

    /// The thread's first function: takes its work over and does it.
    static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let argument else { return nil }
      let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
      _ = darkroom_prctl(PR_SET_NAME, UInt(bitPattern: work.name.utf8Start), 0, 0, 0)
      work.body()
      return nil
    }
  }
}
