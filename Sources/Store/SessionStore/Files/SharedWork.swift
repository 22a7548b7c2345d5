// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// Does the same with many things on a few threads, this one among them.
///
/// Threads of their own, because the work waits in the kernel and must not take those of the task pool.
struct SharedWork<Result: Sendable>: Sendable {
  /// What the threads share.
  private final class State: Sendable {
    /// What is to be done next, what was done, and the first failure.
    struct Progress {
      var next = 0
      var done: [Int: [Result]] = [:]
      var fault: StoreError?
    }

    let progress = Mutex(Progress())
  }

  /// How many threads at most.
  private static var mostThreads: Int { 8 }

  /// How many things a thread takes at once.
  let grain: Int

  /// What becomes of each of so many things, in their order. The first failure ends it.
  func map(_ count: Int, _ body: @escaping @Sendable (Int) throws(StoreError) -> Result) throws(StoreError)
    -> [Result]
  {
    let state = State()
    // For what one does alone nobody has to be asked how many there are.
    let helpers = count < 2 * grain ? 0 : min(Self.mostThreads, MachineMemory.processors, count / grain) - 1
    let work: @Sendable () -> Void = { [grain] in Self.work(state, count, grain, body) }
    // A struct that owns each thread in turn: arrays cannot hold what can't be copied.
    try join(helpers, work)
    return try state.progress.withLock { (progress) throws(StoreError) in
      if let fault = progress.fault { throw fault }
      let chunks = progress.done
      progress.done = [:]
      return chunks.keys.sorted().flatMap { chunks[$0] ?? [] }
    }
  }

  /// Starts so many helpers, works with them, and waits for them.
  private func join(_ helpers: Int, _ work: @escaping @Sendable () -> Void) throws(StoreError) {
    // Where no thread can be had, those that there are do it all.
    guard helpers > 0, let thread = try? PlainThread.start(name: "hand-over", work) else {
      work()
      return
    }
    try join(helpers - 1, work)
    thread.join()
  }

  /// Takes things until there are none left.
  private static func work(
    _ state: State,
    _ count: Int,
    _ grain: Int,
    _ body: @Sendable (Int) throws(StoreError) -> Result
  ) {
    while let first = claim(state, count, grain) {
      do throws(StoreError) {
        var results: [Result] = []
        for index in first..<min(first + grain, count) { results.append(try body(index)) }
        state.progress.withLock { $0.done[first] = results }
      } catch {
        state.progress.withLock { if $0.fault == nil { $0.fault = error } }
        return
      }
    }
  }

  /// The first of the next things; nil if nothing is left to do.
  private static func claim(_ state: State, _ count: Int, _ grain: Int) -> Int? {
    state.progress.withLock { progress in
      guard progress.fault == nil, progress.next < count else { return nil }
      defer { progress.next += grain }
      return progress.next
    }
  }
}
