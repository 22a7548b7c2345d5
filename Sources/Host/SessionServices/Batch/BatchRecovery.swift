// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SessionStore

/// The completion of a batch's history after a host was stopped or killed.
package enum BatchRecovery {
  /// The time to wait for processes that hold an interrupted session, in nanoseconds.
  private static let timeout: UInt64 = 10_000_000_000

  /// Recovers the sessions that the ledger has no result of, and adds their results.
  ///
  /// A session without a record was never launched: the record is published before the session directory is
  /// removed. Its input is run again, as if the ledger did not contain the session.
  ///
  /// - Parameters:
  ///   - ledger: The ledger, whose lock shows that no other process runs the batch.
  ///   - history: The entries of the ledger. The results are added.
  ///   - app: The app of the batch.
  ///   - recover: Recovers all sessions of the state directory whose hosts have died.
  ///
  /// - Throws: ``BatchError/notRecovered(_:_:_:)`` if a session cannot be recovered now.
  package static func complete(
    _ ledger: BatchLedger,
    _ history: inout BatchHistory,
    app: AppStore,
    recover: () throws(StoreError) -> Recovery.Summary
  ) throws(BatchError) {
    let unresolved = history.unresolved
    try finishSessions(unresolved, app.root, recover)
    do throws(StoreError) {
      for attempt in unresolved {
        guard let record = try app.readRecord(of: attempt.session) else { continue }
        let entry = BatchEntry.delivered(attempt.session, BatchResult(record.outcome))
        try ledger.append(entry)
        history.add(entry)
      }
    } catch { throw .store(error) }
  }

  /// Repeats the recovery until no session has a directory any more.
  private static func finishSessions(
    _ unresolved: [BatchHistory.Attempt],
    _ root: StateRoot,
    _ recover: () throws(StoreError) -> Recovery.Summary
  ) throws(BatchError) {
    let deadline = MonotonicClock.now + timeout
    var found: [Recovery.Report] = []
    while let attempt = try firstUnfinished(unresolved, root) {
      guard MonotonicClock.now < deadline else {
        let finding = found.first { $0.session == attempt.session }?.finding
        throw .notRecovered(attempt.session, attempt.input, fault(finding))
      }
      if !found.isEmpty { MonotonicClock.sleep(milliseconds: 100) }
      do throws(StoreError) { found = try recover().sessions } catch { throw .store(error) }
    }
  }

  /// Returns the first session whose directory exists, or `nil` if all sessions are finished.
  private static func firstUnfinished(
    _ attempts: [BatchHistory.Attempt],
    _ root: StateRoot
  ) throws(BatchError) -> BatchHistory.Attempt? {
    do throws(SystemCallError) {
      for attempt in attempts where try FileSystem.status(root.session(attempt.session).directory) != nil {
        return attempt
      }
      return nil
    } catch { throw .store(.system(error)) }
  }

  private static func fault(_ finding: Recovery.Finding?) -> StoreError? {
    switch finding {
    case .damaged(let error), .failed(let error): error
    case .live, .finished, .neverStarted, .erased, nil: nil
    }
  }
}
