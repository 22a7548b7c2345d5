// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about calls that programs need.
///
/// The needed calls and the effects of refusing them were determined with glibc 2.36, one call at a time.
/// Many plausible calls, such as brk, turned out to be unnecessary.
extension PolicyRule {
  /// The rule that finds missing calls that programs need before main.
  static let cannotStart = PolicyRule(
    "DR2004",
    "cannot-start",
    .error,
    summary: "A call that every program needs to start is not allowed",
    justification:
      "The C library and its loader make the call before main. If the call is refused, programs terminate, mostly "
      + "without an error message.",
    remediation:
      "Allow the call, or extend base or strict, which allow all calls that programs need to start."
  ) { linted in
    let showsLibraries = !linted.policy.readOnly.isEmpty
    let needs = RequiredCall.forStartup.filter { !$0.isLoaderOnly || showsLibraries }
    return needs.compactMap { linted.hit($0) }
  }

  /// The rule that finds missing calls that programs need for threads, signals and exit.
  static let missingRuntimeCall = PolicyRule(
    "DR2006",
    "ends-badly",
    .warning,
    summary: "A call that programs need for threads, signals or exit is not allowed",
    justification:
      "The program starts and seems to work until it waits for a thread, receives a signal or exits.",
    remediation: "Allow the call, or extend base or strict, which allow all calls that programs need."
  ) { linted in
    RequiredCall.forRuntime.compactMap { linted.hit($0) }
  }
}

/// A call that programs need.
struct RequiredCall: Sendable {
  /// The alternative calls, of which one is sufficient.
  var calls: [String]
  /// The effect on a program without the call.
  var reason: String
  /// Whether only the dynamic loader needs the call. A policy that shows no files is for static programs.
  var isLoaderOnly = false

  /// The calls that programs need to start.
  static let forStartup = [
    RequiredCall(
      calls: ["arch_prctl"],
      reason: "no thread on x86_64, including the first, can have thread-local storage"
    ),
    RequiredCall(calls: ["mprotect"], reason: "relocated data cannot be made read-only"),
    RequiredCall(calls: ["mmap", "brk"], reason: "no memory can be allocated"),
    RequiredCall(calls: ["mmap"], reason: "no library can be loaded", isLoaderOnly: true),
    RequiredCall(calls: ["openat"], reason: "no library can be opened", isLoaderOnly: true),
    RequiredCall(calls: ["read"], reason: "no library can be read", isLoaderOnly: true),
    RequiredCall(calls: ["pread64"], reason: "no library can be read", isLoaderOnly: true),
    RequiredCall(
      calls: ["newfstatat", "fstat"],
      reason: "the loader cannot distinguish libraries",
      isLoaderOnly: true
    ),
    RequiredCall(
      calls: ["close"],
      reason: "the loader reports the error as an error of the library",
      isLoaderOnly: true
    ),
  ]

  /// The calls that programs need after the start.
  static let forRuntime = [
    RequiredCall(calls: ["write"], reason: "the output of the program is lost, including error messages"),
    RequiredCall(calls: ["futex"], reason: "a thread that waits for another thread terminates the program"),
    RequiredCall(calls: ["rt_sigreturn"], reason: "the first handled signal terminates the program"),
    RequiredCall(
      calls: ["exit_group"],
      reason: "a program with several threads does not exit when it should, and its exit code is lost"
    ),
  ]
}

extension LintedPolicy {
  /// Returns a hit for a needed call without an allowed alternative, at the position of a denial if there is
  /// one.
  fileprivate func hit(_ need: RequiredCall) -> RuleHit? {
    guard let first = need.calls.first, rules(for: need.calls).isEmpty else { return nil }
    let names = need.calls.map { "\"\($0)\"" }.joined(separator: " nor ")
    let isOne = need.calls.count == 1
    if let denial = need.calls.lazy.flatMap({ policy.denials(of: $0) }).first {
      return RuleHit(
        first,
        denial,
        "\(isOne ? "\(names) is denied" : "neither \(names) is allowed"): \(need.reason)"
      )
    }
    return RuleHit(
      first,
      documentOrigin,
      "\(isOne ? "" : "neither ")\(names) is \(isOne ? "not " : "")allowed: \(need.reason)"
    )
  }
}
