// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives

/// The updates of a consumer that has a name; see ``LockedCameraCaptureManager/sessionContentUpdates(consumer:)``.
public struct NamedContentUpdates: AsyncSequence, Sendable {
  /// What the consumer is told.
  public typealias Element = LockedCameraCaptureManager.SessionContentUpdate
  /// Why it cannot be remembered that it was told.
  public typealias Failure = any Error

  fileprivate let observation: ContentObservation
  fileprivate let path: String

  /// The sequence of a consumer whose place is the file at `path`.
  init(_ observation: ContentObservation, path: String) {
    self.observation = observation
    self.path = path
  }

  /// Begins where the consumer was; the place is taken with the first update.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// One run of a consumer.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: NamedContentUpdates
    private var updates: AsyncStream<Element>.Iterator
    private var place: ConsumerPlace?
    private var pending: [Element] = []
    private var told: Element?

    fileprivate init(_ sequence: NamedContentUpdates) {
      self.sequence = sequence
      updates = sequence.observation.updates().makeAsyncIterator()
    }

    /// The next update. Asking for it says that the one before is dealt with.
    public mutating func next() async throws -> Element? {
      let place = try await acknowledge()
      if pending.isEmpty {
        guard let update = await updates.next() else { return nil }
        if case .initial(let urls) = update {
          pending = place.catchUp(urls, in: sequence.observation.content).reversed()
        } else {
          pending = [update]
        }
      }
      told = pending.popLast()
      return told
    }

    /// Remembers durably what was told; gives the place, which is taken now if it was not.
    private mutating func acknowledge() async throws -> ConsumerPlace {
      if let held = place {
        if let update = told {
          let isLast = pending.isEmpty
          try await onPlainThread { try held.remember(update, isLast: isLast) }
        }
        told = nil
        return held
      }
      let path = sequence.path
      let taken = try await onPlainThread { try ConsumerPlace(path) }
      place = taken
      return taken
    }
  }
}

extension LockedCameraCaptureManager {
  /// What comes and goes, for a consumer that is told each change once although its process ends and begins again; not
  /// Apple's.
  ///
  /// `.initial` has the directories that the consumer was told of before and that are still there: none the first time.
  /// Then comes `.added` for each other that is there, `.removed` for each that is gone, and so on with what happens. An
  /// update counts as told when the next one is asked for; if the process is killed before, it comes again, so what is
  /// done with it has to bear that: ``ImportLedger`` does.
  ///
  /// A name consists of letters, digits, dots, dashes and underscores. Iterating throws
  /// ``LockedCameraCaptureError/Code/consumerBusy`` while another process or task is this consumer, and what the kernel
  /// has refused. In a process that is no app's this is nil.
  public func sessionContentUpdates(consumer name: String) -> NamedContentUpdates? {
    guard let container, let observation, FileSystem.isPlainName(name) else { return nil }
    return NamedContentUpdates(observation, path: "\(container.consumersDirectory)/\(name)")
  }
}
