// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The filter that no learning session gets past: it refuses what no policy can allow, whatever the host answers.
///
/// It is made of ``PolicyCore`` alone and is installed beside the filter that reports. Of two filters the stricter
/// answer counts, and an errno is stricter than a notification (seccomp(2)), so that a call of the core reaches nobody
/// who could let it through.
package enum LearningCeiling {
  /// The program for the architecture of this program.
  package static var program: [UInt8] { part(.native, .native).bytes }

  /// The instructions for one architecture.
  static func part(_ table: SystemCallTable, _ architecture: MachineArchitecture) -> FilterAssembly {
    var part = FilterAssembly(bytes: FilterPrelude.bytes(table, architecture))
    part.load(.number)
    for call in PolicyCore.area.keys.sorted() {
      guard let number = table.numbers[call] else { continue }
      part.jump(.equal, UInt32(number), true: 0, false: 1)
      // C libraries take this answer for an older kernel's and make threads with clone.
      part.finish(call == "clone3" ? .notImplemented : .notPermitted)
    }
    for (call, requirement) in PolicyCore.requirements.sorted(by: { $0.key < $1.key }) {
      guard let number = table.numbers[call] else { continue }
      let check = check(requirement)
      part.jump(.equal, UInt32(number), true: 0, false: UInt8(check.count))
      part.append(check)
    }
    part.finish(.allow)
    return part
  }

  /// Ends with one of two answers: whether the arguments are as they must be.
  private static func check(_ requirement: CoreRequirement) -> FilterAssembly {
    var part = FilterAssembly()
    for limit in requirement.limits { part.append(check(limit)) }
    part.finish(.allow)
    return part
  }

  /// Ends with a refusal, or goes on if the argument is as it must be.
  private static func check(_ limit: CoreRequirement.Limit) -> FilterAssembly {
    var part = FilterAssembly()
    part.load(.argument(limit.index))
    switch limit.kind {
    case .among([0], let bits):
      part.jump(.anyBit, bits, true: 0, false: 1)
      part.finish(.notPermitted)
    case .among(let values, let bits):
      if bits != .max { part.mask(bits) }
      for (place, value) in values.sorted().enumerated() {
        part.jump(.equal, value, true: UInt8(values.count - place), false: 0)
      }
      part.finish(.notPermitted)
    case .exactlyNot(let values):
      for value in values.sorted() {
        part.jump(.equal, value, true: 0, false: 1)
        part.finish(.notPermitted)
      }
    }
    return part
  }
}
