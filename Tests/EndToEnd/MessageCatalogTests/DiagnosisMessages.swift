// SPDX-License-Identifier: Apache-2.0

import CSandboxEntry

@testable import LaunchPlanning
@testable import LinuxPrimitives
@testable import SandboxEnforcement
@testable import SandboxLaunch
@testable import SandboxPolicy

/// The causes and fixes that `darkroom doctor` and failed launches report.
extension Cause: MessageSamples {
  static var catalogSamples: [(String, Cause)] {
    let absent = Layer.allCases.compactMap { layer in
      LaunchDiagnosis.absence(of: layer, facts { $0.landlock = .refused(.notImplemented) }).map {
        (layer.rawValue, $0)
      }
    }
    let inactive = LaunchDiagnosis.absence(
      of: .landlock,
      facts { $0.landlock = .refused(Errno(rawValue: 95)) }
    )
    let failures: [(MachineFacts, LaunchObstacle)] = [
      (MachineFacts(), .plan(.missingPath("/opt/models"))),
      (MachineFacts(), .plan(.limitAboveHost(.descriptors, wanted: 4096, maximum: 1024))),
      (filtered, .plan(.filter(.tooLong(instructions: 5000)))),
      (facts { $0.hasProc = false }, step(.mapUser, .noSuchFile)),
      (facts { $0.maskedProcPaths = ["/proc/kcore", "/proc/keys"] }, step(.openProc, .notPermitted)),
      (facts { $0.securebits = 0xEF }, step(.lockSecurebits, .notPermitted)),
      (facts { $0.isUsrReadable = false }, step(.buildRoot, .permissionDenied)),
      (facts { $0.unprivilegedUserNamespaces = 0 }, step(.cloneSession, .notPermitted)),
      (facts { $0.namespaceLimits = ["user": 0] }, step(.cloneSession, .noSpace)),
      (facts { $0.appArmorRestriction = 1 }, step(.mountRoot, .permissionDenied)),
      (facts { $0.isInChroot = true }, step(.cloneSession, .notPermitted)),
      (facts { $0.namespaces = ["mnt", "net", "pid"] }, step(.cloneSession, .invalidArgument)),
      (filtered, step(.cloneSession, .notPermitted)), (filtered, step(.installFilter, .invalidArgument)),
      (facts { $0.filterActions = ["errno", "allow"] }, step(.installFilter, .invalidArgument)),
      (facts { $0.hardLimits = [.descriptors: 16] }, step(.placeDescriptors, Errno(rawValue: 24))),
      (filtered, .host(SystemCallError("pipe2", errno: .notPermitted))),
      (MachineFacts(), .host(SystemMessages.exhausted)), (MachineFacts(), step(.pivotRoot, .notPermitted)),
    ]
    return absent + [("landlock", inactive)].compactMap { name, cause in cause.map { (name, $0) } }
      + failures.flatMap { facts, obstacle in
        LaunchDiagnosis.causes(of: obstacle, facts).map { ("\(obstacle.layer)", $0) }
      }
  }

  var catalogText: String {
    let parts = fixes.map { fix in
      let file = fix.file.map { " (\($0.path): \($0.text))" } ?? ""
      let commands = fix.commands.map { " $ \($0)" }.joined()
      return "\(fix.sentence)\(file)\(commands)"
    }
    return ([reason] + parts).joined(separator: " | ")
  }

  private static func step(_ step: LaunchStep, _ errno: Errno) -> LaunchObstacle {
    LaunchObstacle(.child(SandboxMessages.failure(step, errno)))
  }

  private static func facts(_ change: (inout MachineFacts) -> Void) -> MachineFacts {
    var facts = MachineFacts()
    change(&facts)
    return facts
  }

  private static var filtered: MachineFacts {
    facts {
      $0.filter.count = 1
      $0.filter.container = "docker"
    }
  }
}
