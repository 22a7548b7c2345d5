// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import JSONText

/// `darkroom doctor`: which layers this machine and this user can have, found out by having them.
package enum DoctorCommand: Command {
  package static let spec = CommandSpec(
    "doctor",
    summary: "Say which layers of the sandbox this machine and this user can have",
    discussion: """
      A program of the system is really run in the sandbox, under the policy that most extensions have. Whatever is \
      missing is named, with what to do about it.
      """,
    exitCodes: [
      ExitCodeSpec("0", "Every layer is to be had"),
      ExitCodeSpec("71", "A layer that policies require is missing"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let findings = HostDoctor.examine(stateRoot: try? CommonOptions.resolvedRoot(parsed, console))
    let isWell = findings.allSatisfy { $0.state != .missing }
    if parsed.has(CommonOptions.json) {
      console.print(
        [
          "well": .bool(isWell),
          "findings": .array(
            findings.map {
              .object([
                "name": .string($0.name), "state": .string($0.state.rawValue), "detail": .string($0.detail),
                "mend": $0.mend.map(JSONValue.string),
              ])
            }
          ),
        ])
    } else {
      for finding in findings {
        let name = finding.name + String(repeating: " ", count: max(1, 20 - finding.name.count))
        console.print("\(finding.state.mark)  \(name)\(finding.detail)")
        if let mend = finding.mend { console.print("      \(mend)") }
      }
    }
    return isWell ? 0 : ExitCode.machine.rawValue
  }
}

extension HostDoctor.State {
  /// The state as a column of marks.
  fileprivate var mark: String {
    switch self {
    case .present: "ok  "
    case .advice: "note"
    case .missing: "MISS"
    }
  }
}
