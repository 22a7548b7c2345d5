// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LaunchPlanning
package import SandboxLaunch
package import SessionStore

/// A supply of sessions with extensions that are started before a session is requested.
///
/// ``SessionRunner`` queries it for each launch. All methods can be called on any thread.
package protocol PrewarmedSessions: AnyObject, Sendable {
  /// The planner that also plans the sessions of the supply.
  var planner: LaunchPlanner { get }
  /// Opens the camera of a request, or returns `nil` if the request's extension cannot be prewarmed.
  func openCamera(for request: SessionRequest) throws(SessionError) -> OpenedCamera?
  /// Returns a prewarmed session for a request, these `assets` and this `camera`, or `nil` if there is none.
  /// A replacement is started later.
  func take(for request: SessionRequest, assets: String?, camera: OpenedCamera?) -> (any PrewarmedSession)?
  /// Counts a session that was taken as launched.
  func countLaunch()
  /// Returns a session to the supply that was taken and not launched.
  func giveBack(_ session: any PrewarmedSession)
  /// Terminates all sessions of the supply.
  func dismiss()
  /// Terminates all sessions of the supply, and stops its threads.
  func close()
}

/// A session whose extension is started before the session is requested. It is launched once, or dropped.
package protocol PrewarmedSession: AnyObject {
  /// The ID of the session.
  var id: SessionID { get }
  /// The pipes, rings and log of the session.
  var wiring: SessionWiring { get }
  /// The user and group that the extension runs as, outside its namespaces.
  var identity: LaunchPlan.Identity { get }
  /// The directory of the app's shared assets, or `nil` if there are none.
  var assetsPath: String? { get }
  /// Writes the app context, and notes that the session was launched. A signal to `hostProcess` will dismiss
  /// it.
  ///
  /// - Returns: The journal that is being written, or `nil` if the session was launched or dropped before.
  func begin(_ context: JSONValue, hostProcess: Int32) throws(SessionError) -> LaunchJournal?
  /// Returns the directories of the session, once.
  func takeWorkspace() -> SessionWorkspace?
  /// Returns the processes of the session, once.
  func takeStarted() -> StartedSession?
  /// Terminates the extension and deletes what the session created.
  func drop()
}
