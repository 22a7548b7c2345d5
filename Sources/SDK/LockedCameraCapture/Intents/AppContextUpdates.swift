// SPDX-License-Identifier: Apache-2.0

/// The states of an app context, as they come; see ``CameraCaptureIntent/appContextUpdates``.
struct AppContextUpdates<Context: Codable & Sendable>: AsyncSequence, Sendable {
  typealias Element = AppContextState<Context>
  typealias Failure = Never

  /// Begins to listen.
  func makeAsyncIterator() -> Iterator {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield()
    let access = try? AppContextAccess.current()
    if let access {
      let end = access.observe { continuation.yield() }
      continuation.onTermination = { _ in end() }
    }
    return Iterator(access: access, changes: stream.makeAsyncIterator())
  }

  /// One iteration.
  struct Iterator: AsyncIteratorProtocol {
    let access: AppContextAccess?
    var changes: AsyncStream<Void>.Iterator
    private var last: AppContextRevision?

    init(access: AppContextAccess?, changes: AsyncStream<Void>.Iterator) {
      self.access = access
      self.changes = changes
    }

    /// The next state that differs from the one before; nil if the task is cancelled.
    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      while await changes.next(isolation: actor) != nil {
        guard let access, let value = try? await access.read() else { continue }
        let revision = AppContextRevision(value)
        guard revision != last else { continue }
        // Not `try?`, which would make no difference between no context and one that cannot be decoded.
        let context: Context?
        do { context = try AppContextCoding<Context>.decode(value) } catch { continue }
        last = revision
        return AppContextState(context: context, revision: revision)
      }
      return nil
    }
  }
}
