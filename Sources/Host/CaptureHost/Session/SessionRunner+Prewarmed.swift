// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

extension SessionRunner {
  /// Takes the foreground lock for a prewarmed session. If that fails, the session is not launched and
  /// returns to the supply.
  func takeSeat(for slot: any PrewarmedSession, _ request: SessionRequest) throws(SessionError) -> Seat? {
    do throws(SessionError) {
      let seat = try Self.takeSeat(for: slot.id, request)
      prewarmed?.countLaunch()
      return seat
    } catch {
      if let prewarmed { prewarmed.giveBack(slot) } else { slot.drop() }
      throw error
    }
  }

  /// Launches a prewarmed session and runs it to its end.
  package func launch(
    _ slot: any PrewarmedSession,
    _ request: SessionRequest,
    _ context: JSONValue,
    _ camera: OpenedCamera?,
    _ control: any SessionControl,
    _ began: UInt64
  ) throws(SessionError) -> SessionReport {
    let journal: BegunJournal?
    do throws(SessionError) {
      try slot.wiring.begin(request, camera)
      journal = try slot.begin(context, hostProcess: request.hostProcess)
    } catch {
      slot.drop()
      throw error
    }
    guard let workspace = slot.takeWorkspace(), let started = slot.takeStarted() else {
      preconditionFailure("an extension that waits is taken once")
    }
    let session = RunningSession(
      request: request,
      id: workspace.id,
      startedAt: workspace.startedAt,
      contentPath: workspace.places.contentDirectory,
      assetsPath: slot.assetsPath,
      context: context,
      identity: slot.identity,
      began: began,
      journal: journal
    )
    let finished = try session.run(planner, slot.wiring, control, signals, started)
    return try handOver(workspace, request, finished)
  }
}
