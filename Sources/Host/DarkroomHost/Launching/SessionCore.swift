// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A session of a host, shared by its thread and the tasks of the embedding program.
final class SessionCore: Sendable {
  /// The stage of a session.
  enum Stage: Sendable {
    /// No program was started.
    case starting
    /// The program was started. The text is the ID of the session.
    case running(String)
    /// The session has ended, or was not started.
    case finished(Result<SessionResult, HostError>)
  }

  let stage = WatchedValue(Stage.starting)
  let history = WatchedValue(SessionEvents.History())
  let input: SessionInput
  let frames: FrameGate
  let sound = SoundGate()

  /// Creates a session that was not started.
  init() throws(HostError) {
    do throws(SystemCallError) { (input, frames) = (try SessionInput(), try FrameGate()) } catch {
      throw HostError(error)
    }
  }

  /// Adds an event.
  func add(_ event: SessionEvent) { history.change { $0.events.append(event) } }

  /// Notes that the program was started.
  func started(_ id: String, _ report: SandboxReport) {
    add(.started(report))
    sound.noteStart()
    stage.change { $0 = .running(id) }
  }

  /// Ends the session with its result.
  func finish(_ result: Result<SessionResult, HostError>) {
    frames.close()
    sound.close()
    history.change { history in
      if case .success(let result) = result {
        // Refusals shortly before the end were not reported yet.
        let known = history.events.count { if case .refused = $0 { true } else { false } }
        history.events += result.refusals.dropFirst(known).map(SessionEvent.refused)
        history.events += result.notices.map(SessionEvent.notice)
        history.events.append(.ended(result.outcome))
      }
      history.isComplete = true
    }
    stage.change { $0 = .finished(result) }
  }

  /// Waits until the program was started. Returns the ID of the session, or `nil` if the task is cancelled
  /// first.
  ///
  /// - Throws: The reason why the session was not started.
  func awaitStart() async throws(HostError) -> String? {
    let outcome = await stage.next { stage -> Result<String, HostError>? in
      switch stage {
      case .starting: nil
      case .running(let id): .success(id)
      case .finished(let result): result.map(\.session)
      }
    }
    return try outcome?.get()
  }

  /// Waits for the result, even if the task is cancelled.
  func awaitResult() async -> Result<SessionResult, HostError> {
    await stage.nextUninterrupted { if case .finished(let result) = $0 { result } else { nil } }
  }
}
