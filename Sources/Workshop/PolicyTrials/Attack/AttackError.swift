// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
package import LinuxPrimitives
package import SandboxLaunch

/// Why the battery could not be run; nothing was left behind.
package enum AttackError: Error, Sendable, CustomStringConvertible {
  /// There is no probe program in any of these places.
  case noProbe([String])
  /// The file that is to be the probe program cannot be run.
  case unusable(String, SystemCallError)
  /// The probe does not tell what it can try.
  case noList(String)
  /// The bait could not be laid out.
  case bait(String)
  /// No plan could be made under this policy.
  case plan(PlanError)
  /// No sandbox could be made.
  case launch(SandboxLaunchError)
  /// Something else that the battery needs could not be had.
  case system(SystemCallError)
  /// Somebody sent this signal.
  case interrupted(Signal)

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .noProbe(let places):
      "there is no darkroom-probe in \(places.joined(separator: " or ")): install it there, or name it with --probes FILE"
    case .unusable(let path, let error):
      "\(path) cannot make the attempts: \(error); name the darkroom-probe of this version with --probes FILE"
    case .noList(let path):
      "\(path) does not list what it tries: name the darkroom-probe of this version with --probes FILE"
    case .bait(let reason):
      "the bait could not be laid out: \(reason); name another directory with --bait DIR"
    case .plan(let error): "nothing can be tried under this policy: \(error)"
    case .launch(let error): "no sandbox can be made here: \(error); see 'darkroom doctor'"
    case .system(let error): "the battery could not be run: \(error)"
    case .interrupted(let signal): "stopped by \(signal); nothing is left behind"
    }
  }
}
