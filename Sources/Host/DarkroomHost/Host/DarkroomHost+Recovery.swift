// SPDX-License-Identifier: Apache-2.0

internal import SessionServices
internal import SessionStore

/// The result of a recovery.
public struct RecoveryReport: Sendable, Hashable {
  /// The sessions of hosts that died, and of live hosts.
  public let sessions: [Session]
  /// The messages for the user about parts that could not be recovered.
  public let notices: [String]
  /// Whether no result requires the attention of the user.
  public let isClean: Bool

  /// A session and the result of its recovery.
  public struct Session: Sendable, Hashable {
    /// The ID of the session.
    public let id: String
    /// The result.
    public let finding: Finding
  }

  /// The result of the recovery of a session.
  public enum Finding: Sendable, Hashable {
    /// A host is running the session. The recovery left it alone.
    case live
    /// The migration was finished. The path is `nil` if the session has no content.
    case migrated(contentPath: String?)
    /// The session was never launched. Its directory was removed.
    case neverStarted
    /// The deletion of remaining files was finished.
    case erased
    /// The session is damaged. Everything was left in place.
    case damaged(HostError)
    /// The recovery failed. The next recovery tries again.
    case failed(HostError)
  }
}

extension DarkroomHost {
  /// Recovers the sessions of hosts that died: their content is migrated, and everything else is erased.
  ///
  /// The function is safe at any time, including next to running sessions and other hosts.
  @discardableResult
  public func recover() async throws(HostError) -> RecoveryReport {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      var notices: [String] = []
      do throws(StoreError) {
        let summary = try SessionRecovery.run(
          root,
          library: nil,
          environment: SessionLaunching.environment,
          notice: { notices.append($0) }
        )
        if let fault = summary.fault { notices.append("\(fault)") }
        return RecoveryReport(
          sessions: summary.sessions.map { .init(id: $0.session.description, finding: .init($0.finding)) },
          notices: notices,
          isClean: summary.isClean
        )
      } catch { throw HostError(error) }
    }
  }
}

extension RecoveryReport.Finding {
  /// Creates a finding from that of the store.
  fileprivate init(_ finding: Recovery.Finding) {
    switch finding {
    case .live: self = .live
    case .finished(let result): self = .migrated(contentPath: result.contentPath)
    case .neverStarted: self = .neverStarted
    case .erased: self = .erased
    case .damaged(let error): self = .damaged(HostError(error))
    case .failed(let error): self = .failed(HostError(error))
    }
  }
}
