// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
public import DarkroomHost
internal import JSONText
internal import LaunchPlanning
internal import PolicyLearning
internal import PolicyTrials
internal import SandboxEnforcement
internal import SessionStore

extension DarkroomHost {
  /// Runs a program, records the calls that its policy refuses, and proposes a policy that allows them, as
  /// `darkroom policy learn` does.
  ///
  /// The program runs in the sandbox with a modified filter, which allows each call that some policy could allow. Calls
  /// that no policy can allow are refused, and all other layers are unchanged. The files that the program writes are
  /// discarded. The proposal covers only the calls of the recorded runs.
  ///
  /// If the task is cancelled, the running session is dismissed, and its calls are not recorded.
  ///
  /// - Parameters:
  ///   - program: The program with its base policy. The ID of the app is ignored.
  ///   - options: The number of runs, and the extent of the proposal.
  ///   - notice: A closure that receives messages for the user.
  ///
  /// - Returns: The recorded calls and the proposal. No policy is changed.
  ///
  /// - Throws: `HostError.argument` if the number of runs is not positive, `HostError.policy` if the base policy is
  ///   invalid, `HostError.program` if the program cannot run, or `HostError.store` if the recorded calls cannot be
  ///   read or written.
  public func learnPolicy(
    for program: ProgramLaunchOptions,
    _ options: LearningOptions = LearningOptions(),
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(HostError) -> LearnedPolicy {
    guard options.runs > 0 else {
      throw HostError(argument: "the number of runs must be positive, not \(options.runs)")
    }
    let root = stateRoot
    return try await HostThread.run { (signals: HostSignals) throws(HostError) in
      let base = try CapturePolicy(program.policy).resolved
      let words = [program.program] + program.arguments
      let temporary = DarkroomHost.environment("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
      let file: LearningFile
      do throws(LearningFileError) {
        file =
          if let path = options.stateFile {
            LearningFile(path, base.policy, digest: base.digest, subject: words)
          } else { try LearningFile(in: root, base, subject: words) }
      } catch { throw HostError(error) }
      let workspace: LearningWorkspace
      do throws(StoreError) { workspace = try LearningWorkspace.make(in: temporary) } catch {
        throw HostError(error)
      }
      return try LearningSeries(
        program: program,
        options: options,
        base: base,
        workspace: workspace,
        file: file,
        signals: signals,
        notice: notice
      ).run()
    }
  }

  /// Runs a session of an installed extension, records the calls that its policy refuses, and proposes a policy that allows
  /// them, as `darkroom run --learn` does.
  ///
  /// The session has a modified filter, which allows each call that some policy could allow. Calls that no policy can allow are
  /// refused, and all other layers are unchanged. The content is migrated to the app.
  ///
  /// - Parameters:
  ///   - extensionID: The ID of the extension.
  ///   - stateFile: The path of the file to which the calls are added. Calls of earlier sessions are part of the proposal.
  ///   - options: The devices and times of the session.
  ///   - body: A closure that uses the extension. The session is dismissed when the closure returns or throws.
  ///
  /// - Returns: The recorded calls and the proposal, which was not tested. No policy is changed.
  ///
  /// - Throws: The error of the closure; or a `HostError`: that of the session, `HostError.program` if the program could not be
  ///   started, `HostError.cancelled` if the task is cancelled or the host is closed, or `HostError.store` if the recorded calls
  ///   cannot be read or written. After each error, the calls are not recorded.
  public nonisolated(nonsending) func learnPolicy(
    forExtension extensionID: String,
    addingCallsTo stateFile: String,
    _ options: LaunchOptions = LaunchOptions(),
    during body: nonisolated(nonsending) (HostedSession) async throws -> Void
  ) async throws -> LearnedPolicy {
    let launch = try await launch(extensionID, options, learning: .refusedCalls) {
      (policy, digest) throws(HostError) in
      let file = LearningFile(stateFile, policy, digest: digest, subject: [extensionID])
      // A file that belongs to another policy is reported before the program runs.
      do throws(LearningFileError) { _ = try file.read() } catch { throw HostError(error) }
      return (file: file, policy: policy)
    }
    do { try await body(launch.session) } catch {
      launch.session.dismiss()
      _ = try? await launch.session.result
      throw error
    }
    launch.session.dismiss()
    let result = try await launch.session.result
    return try await HostThread.run { () throws(HostError) in
      guard let report = launch.report, !report.record.outcome.isHostStopped else { throw .cancelled }
      if case .hostFailure = report.record.outcome { throw .program(.init(result.summary)) }
      let (file, policy) = launch.preparation
      let profile: LearningProfile
      do throws(LearningFileError) { profile = try file.add(report, .refusedCalls) } catch {
        throw HostError(error)
      }
      do throws(JSONSyntaxError) {
        let learned = try LearningReport(reviewing: profile, policy, extent: .additions, trial: nil)
        return LearnedPolicy(learned, exitCode: result.exitCode, file: stateFile)
      } catch { throw .policy(.init("\(error)")) }
    }
  }
}
