// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

extension SessionRunner {
  /// Takes the foreground lock for a prewarmed session. If that fails, the session is not launched and
  /// returns to the supply.
  func acquireForegroundLock(for prewarmedSession: any PrewarmedSession, _ request: SessionRequest)
    throws(SessionError) -> ForegroundLock?
  {
    do throws(SessionError) {
      let seat = try Self.acquireForegroundLock(for: prewarmedSession.id, request)
      prewarmed?.countLaunch()
      return seat
    } catch {
      if let prewarmed { prewarmed.giveBack(prewarmedSession) } else { prewarmedSession.drop() }
      throw error
    }
  }

  /// Launches a prewarmed session and runs it to its end.
  package func launch(
    _ prewarmedSession: any PrewarmedSession,
    _ request: SessionRequest,
    _ context: JSONValue,
    _ camera: OpenedCamera?,
    _ control: any SessionControl,
    _ began: UInt64
  ) throws(SessionError) -> SessionReport {
    let journal: LaunchJournal?
    do throws(SessionError) {
      try prewarmedSession.wiring.attachRequest(request, camera)
      journal = try prewarmedSession.begin(context, hostProcess: request.hostProcess)
    } catch {
      prewarmedSession.drop()
      throw error
    }
    guard let workspace = prewarmedSession.takeWorkspace(), let started = prewarmedSession.takeStarted()
    else {
      preconditionFailure("a prewarmed extension can be taken only once")
    }
    let prepared = RunningSession.Workspace(
      workspace,
      prewarmedSession.identity,
      assets: prewarmedSession.assetsPath
    )
    var session = RunningSession(request, in: prepared, context: context, startTime: began)
    session.journal = journal
    let finished = try session.run(planner, prewarmedSession.wiring, control, signals, started)
    return try migrate(workspace, request, finished)
  }
}
