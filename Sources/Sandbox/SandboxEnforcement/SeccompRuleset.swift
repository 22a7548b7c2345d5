// SPDX-License-Identifier: Apache-2.0

internal import CSeccomp
internal import LinuxPrimitives
internal import SandboxPolicy

/// A filter that is being built with libseccomp. The corresponding type is `scmp_filter_ctx`.
struct SeccompRuleset: ~Copyable {
  /// The handle of libseccomp, valid until `deinit`.
  private let context: scmp_filter_ctx

  /// Returns the action that makes a call fail with an error. The corresponding macro is `SCMP_ACT_ERRNO`,
  /// which cannot be imported.
  private static func answer(_ errno: Errno) -> UInt32 { errnoAction | UInt32(errno.rawValue) }
  /// The value to which `SCMP_ACT_ERRNO` adds the error number.
  private static let errnoAction: UInt32 = 0x0005_0000

  /// Creates an empty filter for the native architecture.
  static func make() throws(SeccompError) -> SeccompRuleset {
    guard let context = seccomp_init(answer(.notPermitted)) else {
      throw .library(function: .initialize, errno: .current)
    }
    let ruleset = SeccompRuleset(owning: context)
    try ruleset.set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS)
    // The value 2 selects a binary tree. The frequent calls are those with argument rules, whose results the
    // kernel does not cache.
    try ruleset.set(SCMP_FLTATR_CTL_OPTIMIZE, 2)
    return ruleset
  }

  /// Creates an empty filter for the rules of a foreign profile.
  static func make(_ rules: LibseccompRules) throws(SeccompError) -> SeccompRuleset {
    guard let context = seccomp_init(rules.defaultAction) else {
      throw .library(function: .initialize, errno: .current)
    }
    let ruleset = SeccompRuleset(owning: context)
    for architecture in rules.architectures {
      let errno = Errno(rawValue: -seccomp_arch_add(context, architecture))
      // The native architecture is always present.
      guard errno.rawValue == 0 || errno == .fileExists else {
        throw .library(function: .addArchitecture, errno: errno)
      }
    }
    try ruleset.set(SCMP_FLTATR_ACT_BADARCH, rules.otherArchitectures)
    return ruleset
  }

  /// Creates a ruleset that takes ownership of a handle.
  private init(owning context: scmp_filter_ctx) { self.context = context }

  deinit { seccomp_release(context) }

  /// Sets a filter attribute.
  private func set(_ attribute: scmp_filter_attr, _ value: UInt32) throws(SeccompError) {
    let result = seccomp_attr_set(context, attribute, value)
    guard result == 0 else { throw .library(function: .setAttribute, errno: Errno(rawValue: -result)) }
  }

  /// Adds a rule of a policy, which allows a call.
  func allow(_ rule: SyscallRule, number: Int) throws(SeccompError) {
    let comparisons = rule.conditions.map { condition in
      scmp_arg_cmp(
        arg: UInt32(condition.index),
        op: SCMP_CMP_MASKED_EQ,
        datum_a: UInt64(condition.mask),
        datum_b: UInt64(condition.value)
      )
    }
    let result = seccomp_rule_add_exact_array(
      context,
      SCMP_ACT_ALLOW,
      Int32(number),
      UInt32(comparisons.count),
      comparisons
    )
    guard result == 0 else { throw .rule(rule, errno: Errno(rawValue: -result)) }
  }

  /// Adds a rule for every architecture of the filter and returns the error number, or zero.
  func add(_ action: UInt32, _ number: Int32, _ comparisons: [scmp_arg_cmp]) -> Int32 {
    -seccomp_rule_add_array(context, action, number, UInt32(comparisons.count), comparisons)
  }

  /// Makes a call fail with an error other than the default.
  func deny(number: Int, answer: Errno) throws(SeccompError) {
    let result = seccomp_rule_add_exact_array(context, Self.answer(answer), Int32(number), 0, nil)
    guard result == 0 else { throw .library(function: .addRule, errno: Errno(rawValue: -result)) }
  }

  /// Returns the compiled program.
  func program() throws(SeccompError) -> [UInt8] {
    do {
      // libseccomp 2.5 can write a program only to a descriptor.
      let file = try MemoryFile.make(name: "seccomp-filter", size: 0)
      let result = seccomp_export_bpf(context, file.rawValue)
      guard result == 0 else {
        throw SeccompError.library(function: .export, errno: Errno(rawValue: -result))
      }
      try file.rewind()
      let limit = SeccompFilter.maximumInstructionCount * SeccompFilter.instructionSize * 4
      guard let bytes = try file.readAll(limit: limit) else {
        throw SeccompError.tooLong(instructions: limit / SeccompFilter.instructionSize)
      }
      return bytes
    } catch let error as SystemCallError {
      throw .export(error)
    } catch let error as SeccompError {
      throw error
    } catch {
      throw .library(function: .export, errno: .invalidArgument)
    }
  }
}
