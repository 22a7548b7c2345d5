// SPDX-License-Identifier: Apache-2.0

import SystemCalls
import TestSupport

extension RawProfile {
  /// Boundary values of comparisons, and values with bits in both halves.
  private static let values: [UInt64] = [
    0, 1, 2, 3, 4, 5, 8, 0x10, 0xFF, 0x5401, 0x1000_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
    0x1_0000_0000, 0x1_0000_0005, 0x5_0000_0001, 0xFFFF_FFFF_0000_0000, 0xFFFF_FFFF_FFFF_FF9C, .max,
  ]
  /// Calls of each kind: on 32-bit architectures some have another number, use a multiplexer, or have no
  /// number.
  private static let calls = [
    "read", "write", "personality", "socket", "accept4", "shmget", "semctl", "clone", "ioctl", "mmap",
    "chown",
  ]

  /// Creates a profile whose rules conflict, overlap and contain each other more often than in real profiles.
  ///
  /// If `equalityOnly` is true, the comparisons are restricted to `EQ` and `MASKED_EQ`.
  static func random(equalityOnly: Bool, using generator: inout SeededGenerator) -> RawProfile {
    let actions = [
      Action(name: "ALLOW"), Action(name: "ERRNO"), Action(name: "ERRNO", errno: 38), Action(name: "LOG"),
      Action(name: "KILL_PROCESS"), Action(name: "TRAP"), Action(name: "NOTIFY"),
      Action(name: "TRACE", errno: 7),
    ]
    // Most real profiles use one action besides the default.
    let used = generator.oneIn(3) ? actions : Array(actions.prefix(3))
    let names = (0...2).map { _ in generator.pick(calls) }
    let entries = (0...Int.random(in: 0...5, using: &generator)).map { _ in
      Entry(
        names: generator.oneIn(4) ? [generator.pick(names), generator.pick(calls)] : [generator.pick(names)],
        action: generator.pick(used),
        arguments: arguments(equalityOnly, &generator)
      )
    }
    return RawProfile(
      defaultAction: generator.pick(used),
      architectures: generator.oneIn(3) ? CallArchitecture.ofThisMachine : [.native],
      entries: entries
    )
  }

  private static func arguments(_ equalityOnly: Bool, _ generator: inout SeededGenerator) -> [Argument] {
    let count = generator.pick([0, 1, 1, 1, 2, 2, 3])
    var indices = generator.oneIn(12) ? [0, 0, 1] : Array(0..<3)
    indices.shuffle(using: &generator)
    return indices.prefix(count).map { index in
      Argument(
        index: index,
        operation: generator.pick(equalityOnly ? ["EQ", "MASKED_EQ"] : operations),
        value: generator.pick(values),
        valueTwo: generator.pick(values)
      )
    }
  }
}
