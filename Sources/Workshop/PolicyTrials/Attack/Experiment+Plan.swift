// SPDX-License-Identifier: Apache-2.0

internal import SandboxEnforcement
internal import SandboxLaunch

extension LaunchPlan {
  /// Makes a change by which a refusal shows where it comes from. Nothing is allowed that was not, but for what Landlock
  /// alone refuses.
  mutating func change(for experiment: Experiment) {
    switch experiment {
    case .markedFilter: markErrors()
    case .withoutLandlock: landlock = nil
    }
  }

  /// The errno of a marked filter; no call of an attempt fails with it. The corresponding number is `EBADFD`.
  static let mark: UInt8 = 77

  /// Replaces the error of every `BPF_RET | BPF_K` of `SECCOMP_RET_ERRNO`.
  private mutating func markErrors() {
    // None of them would be reported, and a launch lets itself through only what is.
    refusals = .silent
    let size = SeccompFilter.instructionSize
    for start in stride(from: 0, to: filter.count, by: size) {
      let isError = filter[start..<start + 4].elementsEqual([6, 0, 0, 0]) && filter[start + 6] == 5
      guard isError, filter[start + 7] == 0 else { continue }
      filter[start + 4] = Self.mark
      filter[start + 5] = 0
    }
  }
}
