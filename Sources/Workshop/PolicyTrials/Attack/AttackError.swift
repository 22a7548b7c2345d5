// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
package import LinuxPrimitives
package import SandboxLaunch

/// A failure to run the attack battery. Nothing is left behind.
package enum AttackError: Error, Sendable, CustomStringConvertible {
  /// None of the given paths contains the probe program.
  case noProbe([String])
  /// The file that was specified as the probe program cannot be run.
  case unusable(String, SystemCallError)
  /// The probe program does not list its attempts.
  case noList(String)
  /// The decoys could not be created.
  case decoys(String)
  /// The policy could not be compiled to a launch plan.
  case plan(PlanError)
  /// The sandbox could not be created.
  case launch(SandboxLaunchError)
  /// A system call failed.
  case system(SystemCallError)
  /// The battery was interrupted by a signal.
  case interrupted(Signal)

  /// The error, with a fix.
  package var description: String {
    switch self {
    case .noProbe(let places):
      "darkroom-probe does not exist in \(places.joined(separator: " or ")); install it, or select it with --probes "
        + "FILE"
    case .unusable(let path, let error):
      "\(path) cannot run the attempts: \(error); select the darkroom-probe of this version with --probes FILE"
    case .noList(let path):
      "\(path) does not list its attempts; select the darkroom-probe of this version with --probes FILE"
    case .decoys(let reason):
      "the decoys could not be created: \(reason); select another directory with --bait DIR"
    case .plan(let error): "no attempt can be made under this policy: \(error)"
    case .launch(let error): "the sandbox cannot be created: \(error); see 'darkroom doctor'"
    case .system(let error): "the attempts cannot be run: \(error)"
    case .interrupted(let signal): "stopped by \(signal); nothing is left behind"
    }
  }
}
