// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

extension PrewarmedExtension {
  /// Starts a prewarmed extension.
  static func prepare(_ recipe: PrewarmRecipe, _ planner: LaunchPlanner, lifetime: UInt64) throws
    -> PrewarmedExtension
  {
    let app = recipe.key.app
    return try recipe.holding {
      let assets = try SharedAssets(app).hold()
      var request = recipe.request()
      request.quota = try SessionRunner.quota(for: request)
      guard assets.path == recipe.key.assets, request.maximumBytes == recipe.key.maximumBytes else {
        throw PrewarmError.changed
      }
      let identity = SessionIdentity.forOneSession()
      let workspace = try SessionRunner.workspace(for: request, identity, .prewarmed)
      do {
        let wiring = try SessionWiring(waiting: request, places: workspace.places, camera: recipe.key.camera)
        let session = try RunningSession(waiting: request, workspace, identity, assets.path)
        // Recorded before the start: a file that is replaced during the start may be the old or the new one.
        let shown = try ExposedPaths(planner.plan(request.subject, session.plannerSession(wiring)))
        guard recipe.key.isCurrent else { throw PrewarmError.changed }
        let started = try session.start(planner, wiring)
        guard started.launch.paths == .ownRoot, recipe.key.isCurrent, shown.isCurrent else {
          let isRestricted = started.launch.paths != .ownRoot
          started.terminate()
          throw isRestricted ? PrewarmError.restricted : .changed
        }
        let watch = PrewarmMonitor(
          recipe.key,
          shown,
          workspace.places,
          wiring,
          started,
          request,
          lifetime: lifetime
        )
        return PrewarmedExtension(recipe.key, identity, wiring, watch, started, workspace, assets)
      } catch {
        workspace.abandon()
        throw error
      }
    }
  }
}

extension RunningSession {
  /// Creates a session that was not launched. It has no app context and no driver.
  fileprivate init(
    waiting request: SessionRequest,
    _ workspace: borrowing SessionWorkspace,
    _ identity: LaunchPlan.Identity,
    _ assets: String?
  ) throws {
    let file = workspace.places.contextFile
    // Readable by the extension, which may have another UID. A read-only mount prevents it from writing the
    // file.
    try FileSystem.replaceContents(file, with: JSONValue.null.bytes())
    try FileSystem.open(file, [.read, .noFollow]).setPermissions(0o644)
    let prepared = RunningSession.Workspace(workspace, identity, assets: assets)
    self.init(request, in: prepared, context: .null, startTime: MonotonicClock.now)
    contextFile = file
  }
}
