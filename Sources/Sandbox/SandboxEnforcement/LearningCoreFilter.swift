// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The filter that no learning session can bypass: it refuses calls that no policy can allow, whatever the
/// host answers.
///
/// The filter contains only the rules of ``PolicyCore`` and is installed in addition to the reporting filter.
/// The stricter result of two filters counts, and an errno is stricter than a notification (seccomp(2)). A
/// call that the core refuses therefore never reaches the host, which could let the call through.
package enum LearningCoreFilter {
  /// The program for the native architecture.
  package static var program: [UInt8] { part(.native, .native).bytes }

  /// Returns the instructions for one architecture.
  static func part(_ table: SystemCallTable, _ architecture: MachineArchitecture) -> FilterAssembly {
    var part = FilterAssembly(bytes: FilterPrelude.bytes(table, architecture))
    part.load(.number)
    for call in PolicyCore.area.keys.sorted() {
      guard let number = table.numbers[call] else { continue }
      part.jump(.equal, UInt32(number), true: 0, false: 1)
      // C libraries interpret ENOSYS as an older kernel and create threads with clone(2).
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

  /// Returns instructions that allow a call if all its arguments are permitted, and otherwise refuse it.
  private static func check(_ requirement: CoreRequirement) -> FilterAssembly {
    var part = FilterAssembly()
    for limit in requirement.limits { part.append(check(limit)) }
    part.finish(.allow)
    return part
  }

  /// Returns instructions that refuse a call if an argument is not permitted, and otherwise continue.
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
    case .noneOf(let values):
      for value in values.sorted() {
        part.jump(.equal, value, true: 0, false: 1)
        part.finish(.notPermitted)
      }
    }
    return part
  }
}
