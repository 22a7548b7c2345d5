// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import SessionStore

/// The parts of a host that other modules of the package use.
extension DarkroomHost {
  /// Creates a host of a prepared state directory, which uses these resources and closes them.
  package convenience init(
    stateRoot: StateRoot,
    resources: HostResources,
    configuration: HostConfiguration
  ) { self.init(stateRoot, resources, configuration) }

  /// The state directory.
  package var stateRoot: StateRoot { root }

  /// The files in which administrators restrict sessions.
  package var administration: AdministrationFiles { launching.files }

  /// Returns the value of an environment variable of the process.
  @Sendable package static func environment(_ name: String) -> String? { SessionLaunching.environment(name) }
}
