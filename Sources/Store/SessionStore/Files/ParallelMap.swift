// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// A parallel map over a few threads, including the calling thread.
///
/// The work blocks in the kernel, so it runs on separate threads and not on those of the Swift concurrency
/// pool.
struct ParallelMap<Result: Sendable>: Sendable {
  /// The state that the threads share.
  private final class State: Sendable {
    /// The next index, the results and the first error.
    struct Progress {
      var next = 0
      var done: [Int: [Result]] = [:]
      var fault: StoreError?
    }

    let progress = Mutex(Progress())
  }

  /// The maximum number of threads.
  private static var maximumThreads: Int { 8 }

  /// The number of elements that a thread claims at once.
  let chunkSize: Int

  /// Returns the results of `body` for the indices below `count`, in order. The first error stops the work.
  func map(_ count: Int, _ body: @escaping @Sendable (Int) throws(StoreError) -> Result) throws(StoreError)
    -> [Result]
  {
    let state = State()
    // Small inputs skip the query for the number of processors.
    let helpers =
      count < 2 * chunkSize ? 0 : min(Self.maximumThreads, MachineMemory.processors, count / chunkSize) - 1
    let work: @Sendable () -> Void = { [chunkSize] in Self.work(state, count, chunkSize, body) }
    // Recursion owns one thread per call, because arrays cannot hold noncopyable values.
    try runHelpers(helpers, work)
    return try state.progress.withLock { (progress) throws(StoreError) in
      if let fault = progress.fault { throw fault }
      let chunks = progress.done
      progress.done = [:]
      return chunks.keys.sorted().flatMap { chunks[$0] ?? [] }
    }
  }

  /// Starts the given number of helper threads, works alongside them, and joins them.
  private func runHelpers(_ helpers: Int, _ work: @escaping @Sendable () -> Void) throws(StoreError) {
    // If no thread can be created, the existing threads do all the work.
    guard helpers > 0, let thread = try? PlainThread.start(name: "migration", work) else {
      work()
      return
    }
    try runHelpers(helpers - 1, work)
    thread.join()
  }

  /// Processes chunks until none are left.
  private static func work(
    _ state: State,
    _ count: Int,
    _ chunkSize: Int,
    _ body: @Sendable (Int) throws(StoreError) -> Result
  ) {
    while let first = claim(state, count, chunkSize) {
      do throws(StoreError) {
        var results: [Result] = []
        for index in first..<min(first + chunkSize, count) { results.append(try body(index)) }
        state.progress.withLock { $0.done[first] = results }
      } catch {
        state.progress.withLock { if $0.fault == nil { $0.fault = error } }
        return
      }
    }
  }

  /// Returns the first index of the next chunk, or `nil` if no work is left.
  private static func claim(_ state: State, _ count: Int, _ chunkSize: Int) -> Int? {
    state.progress.withLock { progress in
      guard progress.fault == nil, progress.next < count else { return nil }
      defer { progress.next += chunkSize }
      return progress.next
    }
  }
}
