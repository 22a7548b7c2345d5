// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import PhotoLibrary
internal import SessionStore
internal import Synchronization

/// The state that is shared by the thread that drives a session and the thread that executes photo library
/// requests.
final class PhotoExchange: Sendable {
  /// The maximum number of pending requests. Further requests are refused, which bounds the memory of the
  /// host.
  static let maximumWaiting = 64

  /// A pending request.
  struct Job: Sendable {
    let request: PhotoRequest
    /// The ID of the request.
    let id: RequestID
  }

  /// The state under the lock.
  private struct State {
    /// The pending requests, in order.
    var jobs: [Job] = []
    /// Whether no further request is executed.
    var isStopped = false
    /// The replies that have not been sent.
    var replies: [Reply] = []
    /// The current access to the library.
    var access: PhotoAccess
    var shown: ShownAssets
    /// The added assets.
    var ingested: [SessionRecord.Ingested] = []
  }

  /// Readable when there are replies.
  let answers: Descriptor
  /// Readable when there is work for the worker thread.
  private let work: Descriptor
  private let state: Mutex<State>

  /// Creates an exchange without requests.
  init(_ session: PhotoSession, _ access: PhotoAccess) throws(SystemCallError) {
    answers = try EventCounter.make()
    work = try EventCounter.make()
    let shown = ShownAssets(directory: session.library, maximumBytes: session.maximumBytes)
    state = Mutex(State(access: access, shown: shown))
  }
}

// MARK: - On the thread that drives the session

extension PhotoExchange {
  /// Adds a request to the queue. Returns `false` if the queue is full.
  func enqueue(_ request: PhotoRequest, _ id: RequestID) -> Bool {
    let isTaken = state.withLock { (state) in
      guard state.jobs.count < Self.maximumWaiting else { return false }
      state.jobs.append(Job(request: request, id: id))
      return true
    }
    if isTaken { try? EventCounter.add(to: work) }
    return isTaken
  }

  /// Returns the replies since the last call, in order.
  func takeAnswers() -> [Reply] {
    _ = try? EventCounter.take(answers)
    return state.withLock { (state) in
      defer { state.replies = [] }
      return state.replies
    }
  }

  /// Changes the access. `review` withdraws assets that may not be shown any longer.
  ///
  /// The lock is held meanwhile, so no asset is shown under the earlier access during or after the review.
  func change(to access: PhotoAccess, _ review: (inout ShownAssets) -> Void) {
    state.withLock { (state) in
      state.access = access
      review(&state.shown)
    }
  }

  /// Stops the worker after the current request.
  func stop() {
    state.withLock { (state) in
      state.isStopped = true
      state.jobs = []
    }
    try? EventCounter.add(to: work)
  }

  /// Withdraws all shown assets and returns the added ones. Call this function when the worker thread has
  /// finished.
  func finish() -> [SessionRecord.Ingested] {
    state.withLock { (state) in
      for asset in state.shown.assets { state.shown.withdraw(asset) }
      return state.ingested
    }
  }
}

// MARK: - On the thread that does what is asked

extension PhotoExchange {
  /// Waits for the next request. Returns `nil` when the exchange is stopped.
  func next() -> Job? {
    while true {
      let (job, isStopped) = state.withLock { (state) in
        (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isStopped)
      }
      if let job { return job }
      guard !isStopped, (try? Poller.wait([(work.rawValue, .readable)])) != nil else { return nil }
      _ = try? EventCounter.take(work)
    }
  }

  /// The current access to the library.
  var access: PhotoAccess { state.withLock(\.access) }

  /// Adds a reply.
  func answer(_ reply: Reply) {
    state.withLock { $0.replies.append(reply) }
    try? EventCounter.add(to: answers)
  }

  /// Records an added asset.
  func note(_ ingested: SessionRecord.Ingested) { state.withLock { $0.ingested.append(ingested) } }

  /// Withdraws the shown copy of an asset.
  func withdraw(_ asset: String) { state.withLock { $0.shown.withdraw(asset) } }

  /// Returns the name of the shown copy of an asset, or `nil` if it is not shown.
  func name(of asset: String) -> String? { state.withLock { $0.shown.name(of: asset) } }

  /// Withdraws the oldest copies until there is space for a copy of this size.
  func makeRoom(for bytes: Int64) throws(SystemCallError) {
    try state.withLock { (state) throws(SystemCallError) in try state.shown.makeRoom(for: bytes) }
  }

  /// Shows a copy if the asset is visible under the current access. Returns its name, or `nil` if it is not
  /// visible.
  func show(
    _ copy: consuming AssetCopy,
    of asset: Asset,
    isVisible: (PhotoAccess) -> Bool
  ) throws(SystemCallError) -> String? {
    var copy = Optional(copy)
    return try state.withLock { (state) throws(SystemCallError) in
      guard isVisible(state.access), let copy = copy.take() else { return nil }
      return try state.shown.show(copy, of: asset)
    }
  }
}
