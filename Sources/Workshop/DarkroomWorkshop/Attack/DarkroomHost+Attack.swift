// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
public import DarkroomHost
internal import LaunchPlanning
internal import PolicyTrials

extension DarkroomHost {
  /// Returns the attempts that ``attack(_:_:)`` can make.
  ///
  /// - Parameter probe: The path of the program `darkroom-probe`, as in ``AttackOptions/probe``.
  ///
  /// - Returns: The attempts, in their order.
  ///
  /// - Throws: `HostError.program` if the program does not exist or cannot be run.
  public func attackAttempts(probe: String? = nil) async throws(HostError) -> [AttackAttempt] {
    try await HostThread.run { () throws(HostError) in try Self.probe(probe).1.map { AttackAttempt($0) } }
  }

  /// Makes every known attempt to escape from the sandbox of a policy, as `darkroom attack` does. Each attempt runs
  /// in a sandbox of its own.
  ///
  /// During the attempts, decoys exist on the machine: a secret in the container of another app, listeners, shared
  /// memory and open descriptors. They are removed at the end. If the task is cancelled, the attack stops.
  ///
  /// - Parameters:
  ///   - policy: The policy.
  ///   - options: The selection of the attempts.
  ///
  /// - Returns: The result of each attempt.
  ///
  /// - Throws: `HostError.argument` if the options contain an unknown name or class, or select no attempt;
  ///   `HostError.program` if `darkroom-probe` does not exist; `HostError.policy` if no sandbox can be planned;
  ///   `HostError.store` if the decoys cannot be created; or `HostError.system` if no sandbox can be created.
  public func attack(
    _ policy: CapturePolicy,
    _ options: AttackOptions = AttackOptions()
  ) async throws(HostError) -> AttackReport {
    let root = stateRoot
    return try await HostThread.run { (signals: HostSignals) throws(HostError) in
      let (program, all) = try Self.probe(options.probe)
      // Without this check, a misspelled name would make the attack smaller without notice.
      if let unknown = options.unknownSelection(among: all) {
        throw HostError(
          argument: "unknown attempt or class '\(unknown)'; 'darkroom attack --list' lists them"
        )
      }
      let attempts = all.filter { $0.isSelected(names: options.names, categories: options.classes) }
      // Without this check, an empty battery would be reported as fully blocked.
      guard !attempts.isEmpty else {
        throw HostError(
          argument: "no attempt has a selected name and a selected class; 'darkroom attack --list' lists them"
        )
      }
      let configuration = AttackBattery.Configuration(
        policy: policy.resolved.policy,
        attempts: attempts,
        place: options.decoyDirectory ?? AttackConfiguration.decoyDirectory(root),
        proof: options.isProved ? .harmless : .none
      )
      do throws(AttackError) {
        let battery = try AttackBattery(program, configuration)
        return AttackReport(
          policy: policy.name,
          results: try battery.run(signals).map { AttackReport.Result($0) },
          restriction: battery.restriction
        )
      } catch { throw HostError(error) }
    }
  }

  /// Returns the program that makes the attempts, and the attempts.
  private static func probe(_ path: String?) throws(HostError) -> (ProbeProgram, [Attempt]) {
    do throws(AttackError) {
      let program = try ProbeProgram.find(path)
      return (program, try program.attempts())
    } catch { throw HostError(error) }
  }
}

extension AttackOptions {
  /// Returns the first selected name or class that no attempt has, or `nil` if there is none.
  fileprivate func unknownSelection(among attempts: [Attempt]) -> String? {
    let known = Set(attempts.map(\.name))
    return names.first { !known.contains($0) } ?? classes.first { !Attempt.categories.contains($0) }
  }
}
