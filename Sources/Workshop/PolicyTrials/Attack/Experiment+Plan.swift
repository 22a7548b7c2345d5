// SPDX-License-Identifier: Apache-2.0

internal import SandboxEnforcement
internal import SandboxLaunch

extension LaunchPlan {
  /// Changes the plan for an experiment. The change permits nothing, except accesses that only Landlock
  /// refuses.
  mutating func change(for experiment: Experiment) {
    switch experiment {
    case .markedFilter: markErrors()
    case .withoutLandlock: restrictions.landlock = nil
    }
  }

  /// The errno of a marked filter; no call of an attempt fails with it. The corresponding errno is `EBADFD`.
  static let mark: UInt8 = 77

  /// Replaces the errno in every `BPF_RET`-`BPF_K` instruction that returns `SECCOMP_RET_ERRNO`.
  private mutating func markErrors() {
    // Marked refusals are not reported, and with reporting, a launch permits its own calls only through
    // reports.
    restrictions.refusals = .silent
    var filter = restrictions.filter
    let size = SeccompFilter.instructionSize
    for start in stride(from: 0, to: filter.count, by: size) {
      let isError = filter[start..<start + 4].elementsEqual([6, 0, 0, 0]) && filter[start + 6] == 5
      guard isError, filter[start + 7] == 0 else { continue }
      filter[start + 4] = Self.mark
      filter[start + 5] = 0
    }
    restrictions.filter = filter
  }
}
