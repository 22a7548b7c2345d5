// SPDX-License-Identifier: Apache-2.0

/// The states of an app context over time; see ``CameraCaptureIntent/appContextUpdates``.
struct AppContextUpdates<Context: Codable & Sendable>: AsyncSequence, Sendable {
  typealias Element = AppContextState<Context>
  typealias Failure = Never

  /// Starts to observe the context.
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

  /// An iteration over the states.
  struct Iterator: AsyncIteratorProtocol {
    let access: AppContextAccess?
    var changes: AsyncStream<Void>.Iterator
    private var last: AppContextRevision?

    init(access: AppContextAccess?, changes: AsyncStream<Void>.Iterator) {
      self.access = access
      self.changes = changes
    }

    /// Returns the next state that differs from the previous one, or `nil` if the task is canceled.
    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      while await changes.next(isolation: actor) != nil {
        guard let access, let value = try? await access.read() else { continue }
        let revision = AppContextRevision(value)
        guard revision != last else { continue }
        // `try?` would not distinguish a missing context from one that cannot be decoded.
        let context: Context?
        do { context = try AppContextCoding<Context>.decode(value) } catch { continue }
        last = revision
        return AppContextState(context: context, revision: revision)
      }
      return nil
    }
  }
}
