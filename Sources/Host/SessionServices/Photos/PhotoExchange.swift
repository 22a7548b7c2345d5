// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import PhotoLibrary
internal import SessionStore
internal import Synchronization

/// What the thread that drives a session and the one that does what is asked of the photo library share.
final class PhotoExchange: Sendable {
  /// How many requests wait at once; more are refused, so that nobody fills the host's memory with them.
  static let mostWaiting = 64

  /// Something to do.
  struct Job: Sendable {
    /// What is asked.
    let request: PhotoRequest
    /// By which request.
    let id: RequestID
  }

  /// What is shared.
  private struct State {
    /// What is to be done, in order.
    var jobs: [Job] = []
    /// Whether nothing more is done.
    var isStopped = false
    /// What has been done.
    var replies: [Reply] = []
    /// What may be done now.
    var access: PhotoAccess
    /// What is shown.
    var shown: ShownAssets
    /// What has been added.
    var ingested: [SessionRecord.Ingested] = []
  }

  /// Readable when something has been done.
  let answers: Descriptor
  /// Readable when there is something to do.
  private let work: Descriptor
  private let state: Mutex<State>

  /// Nothing is asked yet.
  init(_ session: PhotoSession, _ access: PhotoAccess) throws(SystemCallError) {
    answers = try EventCounter.make()
    work = try EventCounter.make()
    let shown = ShownAssets(directory: session.library, mostBytes: session.mostBytes)
    state = Mutex(State(access: access, shown: shown))
  }
}

// MARK: - On the thread that drives the session

extension PhotoExchange {
  /// Takes a request; false: too many wait.
  func take(_ request: PhotoRequest, _ id: RequestID) -> Bool {
    let isTaken = state.withLock { (state) in
      guard state.jobs.count < Self.mostWaiting else { return false }
      state.jobs.append(Job(request: request, id: id))
      return true
    }
    if isTaken { try? EventCounter.add(to: work) }
    return isTaken
  }

  /// What has been done since this was last asked, in order.
  func takeAnswers() -> [Reply] {
    _ = try? EventCounter.take(answers)
    return state.withLock { (state) in
      defer { state.replies = [] }
      return state.replies
    }
  }

  /// Something else may be done from now on. Nothing is shown by what went before while `review` takes back what may not
  /// be shown any more, nor afterwards.
  func change(to access: PhotoAccess, _ review: (inout ShownAssets) -> Void) {
    state.withLock { (state) in
      state.access = access
      review(&state.shown)
    }
  }

  /// Has nothing more done; what is being done is.
  func stop() {
    state.withLock { (state) in
      state.isStopped = true
      state.jobs = []
    }
    try? EventCounter.add(to: work)
  }

  /// Takes back everything that is shown, and says what has been added. The thread has ended.
  func finish() -> [SessionRecord.Ingested] {
    state.withLock { (state) in
      for asset in state.shown.assets { state.shown.withdraw(asset) }
      return state.ingested
    }
  }
}

// MARK: - On the thread that does what is asked

extension PhotoExchange {
  /// Waits for something to do; nil: nothing more is done.
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

  /// What may be done now.
  var access: PhotoAccess { state.withLock(\.access) }

  /// Something has been done.
  func answer(_ reply: Reply) {
    state.withLock { $0.replies.append(reply) }
    try? EventCounter.add(to: answers)
  }

  /// Something has been added.
  func note(_ ingested: SessionRecord.Ingested) { state.withLock { $0.ingested.append(ingested) } }

  /// Takes back what is shown of an asset.
  func withdraw(_ asset: String) { state.withLock { $0.shown.withdraw(asset) } }

  /// The name of the copy of an asset, if it is shown.
  func name(of asset: String) -> String? { state.withLock { $0.shown.name(of: asset) } }

  /// Takes back the oldest copies until there is room for one of so many bytes.
  func makeRoom(for bytes: Int64) throws(SystemCallError) {
    try state.withLock { (state) throws(SystemCallError) in try state.shown.makeRoom(for: bytes) }
  }

  /// Shows a copy, if the asset may be seen under what is known in this very moment; gives its name.
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
