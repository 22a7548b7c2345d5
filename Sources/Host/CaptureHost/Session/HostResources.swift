// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
package import LinuxPrimitives
internal import SandboxLaunch
package import SessionStore
internal import Synchronization

/// The resources that a host keeps between the sessions of one state directory.
///
/// Create one value for the lifetime of a host, and call ``close()`` at its end. Sessions use the value
/// concurrently on their own threads.
package final class HostResources: Sendable {
  /// The state directory that the resources belong to.
  package let stateRoot: StateRoot
  /// The planner, which compiles each policy once and reads the machine's properties once.
  let planner: LaunchPlanner
  /// The launcher, which keeps a broker process.
  let launcher: HostLauncher
  /// The prewarmed sessions, or `nil` if the host keeps none.
  package let prewarmed: (any PrewarmedSessions)?
  /// Held while the resources are closed.
  private let closing = Mutex(())
  /// The processors that the host runs on.
  private let processors = ThreadContext.processors

  /// Creates the resources of a host. `prewarmed` creates the supply of prewarmed sessions with the host's
  /// planner.
  package init(
    stateRoot: StateRoot,
    prewarmed: (LaunchPlanner) throws(SystemCallError) -> (any PrewarmedSessions)? = { _ in nil }
  ) throws(SystemCallError) {
    self.stateRoot = stateRoot
    SandboxLauncher.makeThreads()
    planner = LaunchPlanner(stateRoot: stateRoot)
    launcher = HostLauncher()
    self.prewarmed = try prewarmed(planner)
  }

  /// Whether the calling thread may use the same processors as the host. Processes of the host run on these.
  var isOnSameProcessors: Bool { processors != nil && ThreadContext.processors == processors }

  /// Terminates all prewarmed sessions. Later launches start cold.
  package func dismiss() { prewarmed?.dismiss() }

  /// Terminates everything that the host keeps, and waits for it, even if another thread has called the function
  /// first. No session may be running.
  package func close() {
    closing.withLock { _ in
      prewarmed?.close()
      launcher.close()
    }
  }

  /// The number of sessions that were launched by the broker.
  package var brokeredLaunches: Int { launcher.uses }

  /// The reason for which there is no broker, or `nil` if there is one.
  package var brokerFault: BrokerFault? { launcher.fault }
}
