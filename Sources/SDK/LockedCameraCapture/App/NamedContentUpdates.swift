// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives

/// The updates of a named consumer; see ``LockedCameraCaptureManager/sessionContentUpdates(consumer:)``.
public struct NamedContentUpdates: AsyncSequence, Sendable {
  /// An update of the session content.
  public typealias Element = LockedCameraCaptureManager.SessionContentUpdate
  /// The error if the progress of the consumer cannot be recorded.
  public typealias Failure = any Error

  fileprivate let observation: ContentObservation
  fileprivate let path: String

  /// Creates the sequence of the consumer whose progress is stored at `path`.
  init(_ observation: ContentObservation, path: String) {
    self.observation = observation
    self.path = path
  }

  /// Returns an iterator that continues after the last recorded update.
  ///
  /// The first update locks the consumer's record.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// An iteration over the updates of a consumer.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: NamedContentUpdates
    private var updates: AsyncStream<Element>.Iterator
    private var progress: ConsumerProgress?
    private var pending: [Element] = []
    private var delivered: Element?

    fileprivate init(_ sequence: NamedContentUpdates) {
      self.sequence = sequence
      updates = sequence.observation.updates().makeAsyncIterator()
    }

    /// Returns the next update, and records that the previous one was processed.
    ///
    /// - Returns: The update, or `nil` at the end of the sequence.
    /// - Throws: ``LockedCameraCaptureError``: `consumerBusy` if another process or task is this consumer, or
    ///   `notWritten` if a system call fails.
    public mutating func next() async throws -> Element? {
      let progress = try await acknowledge()
      if pending.isEmpty {
        guard let update = await updates.next() else { return nil }
        if case .initial(let urls) = update {
          pending = progress.initialUpdates(urls, in: sequence.observation.content).reversed()
        } else {
          pending = [update]
        }
      }
      delivered = pending.popLast()
      return delivered
    }

    /// Records the last update durably, and returns the consumer's record.
    ///
    /// The first call opens and locks the record.
    private mutating func acknowledge() async throws -> ConsumerProgress {
      if let held = progress {
        if let update = delivered {
          let isLast = pending.isEmpty
          try await onPlainThread { try held.record(update, isLast: isLast) }
        }
        delivered = nil
        return held
      }
      let path = sequence.path
      let taken = try await onPlainThread { try ConsumerProgress(path) }
      progress = taken
      return taken
    }
  }
}

extension LockedCameraCaptureManager {
  /// Returns the changes of the session content for a named consumer, which receives each change once across
  /// restarts; specific to Darkroom.
  ///
  /// `.initial` contains the directories that were reported before and still exist; at the first run there
  /// are none. Then come `.added` for each other directory, `.removed` for each missing one, and the later
  /// changes.
  ///
  /// An update counts as processed when the next one is requested. If the process is killed before that, the
  /// update is delivered again, so its processing must be idempotent; ``ImportLedger`` is.
  ///
  /// Iterating throws ``LockedCameraCaptureError``: `consumerBusy` while another process or task is this
  /// consumer, or `notWritten` if a system call fails.
  ///
  /// - Parameter name: The name of the consumer: letters, digits, dots, hyphens and underscores.
  /// - Returns: The sequence, or `nil` if the name is invalid or the process does not belong to an app.
  public func sessionContentUpdates(consumer name: String) -> NamedContentUpdates? {
    guard let container, let observation, FileSystem.isPortableName(name) else { return nil }
    return NamedContentUpdates(observation, path: "\(container.consumersDirectory)/\(name)")
  }
}
