// SPDX-License-Identifier: Apache-2.0

public import DarkroomHost
internal import FilterAnalysis
internal import SandboxAudit

/// A filter of system calls: a policy of Darkroom, a compiled filter, a file of another program, the filters of a process, or
/// filters that are installed together.
///
/// A filter of another program is not converted to a policy: it has the effect that it has in the program that loads it.
///
/// All functions are asynchronous, because an analysis can take seconds; a cancelled task waits for their end.
public struct SystemCallFilter: Sendable {
  /// The name of the filter in messages.
  public let name: String
  /// The kind of the filter as text, such as `compiled filter`.
  public let kind: String
  /// The parts of a file that do not concern calls, that have no effect, or whose meaning is assumed; each as a sentence
  /// without a final period.
  public let remarks: [String]
  let source: FilterSource

  /// The answers of other processes to calls that a filter of another program leaves to them.
  public struct Supervision: Sendable, Hashable {
    /// The known answer of a process.
    public enum Answer: String, Sendable, Hashable {
      /// The process refuses every call.
      case refused
      /// The answer is unknown. The call counts as allowed, because the process can allow it.
      case unknown
    }

    /// The answer of the supervisor to `SECCOMP_RET_USER_NOTIF`.
    public var notifications: Answer
    /// The answer of the tracer to `SECCOMP_RET_TRACE`.
    public var traces: Answer

    /// Creates a statement about the answers.
    public init(notifications: Answer = .unknown, traces: Answer = .unknown) {
      (self.notifications, self.traces) = (notifications, traces)
    }

    /// The statement of the analysis.
    var known: FilterAnalysis.Supervision {
      func known(_ answer: Answer) -> FilterAnalysis.Supervision.Response {
        answer == .refused ? .refused : .unknown
      }
      return FilterAnalysis.Supervision(notifications: known(notifications), traces: known(traces))
    }
  }

  /// Creates the filter of a policy. Its supervisor is the host, which refuses every call.
  public init(_ policy: CapturePolicy) { self.init(policy.name, .policy(policy.resolved)) }

  /// Creates a filter from a compiled program, in the format of ``CompiledFilter/bytes``.
  ///
  /// - Throws: `HostError.policy` if the kernel would reject the program.
  public init(compiled program: [UInt8], name: String = "compiled") throws(HostError) {
    do throws(FilterProgramError) { self.init(name, .program(try FilterProgram(bytes: program))) } catch {
      throw .policy(.init("\(name): \(error)"))
    }
  }

  /// Creates a filter from several filters that are installed together, oldest first. The filter allows a call if all of them
  /// allow it.
  public init(stack filters: [SystemCallFilter], name: String = "stack") {
    self.init(name, .stack(filters.map(\.source)))
  }

  /// Returns the installed filters of a process, which only root can read.
  ///
  /// - Throws: `HostError.argument` if `process` is not a process ID, or `HostError.policy` if the filters cannot be read.
  public static func installed(in process: Int32) async throws(HostError) -> SystemCallFilter {
    try await find("\(FilterSource.processPrefix)\(process)")
  }

  private init(_ name: String, _ source: FilterSource) {
    (self.name, self.source) = (name, source)
    (kind, remarks) = (source.kind, source.remarks + source.libraryRemarks)
  }

  /// Finds a filter, in the form of an argument of `darkroom policy verify`.
  ///
  /// - Parameter selection: The name of a shipped policy; the path of a policy, of a compiled filter, of a seccomp profile
  ///   (OCI, Docker, Podman), of a systemd unit or of a minijail policy (`.policy`); `pid:PID` for the installed filters of a
  ///   process, which only root can read; or `stack:OLDEST,…,NEWEST` for filters that are installed together.
  ///
  /// - Returns: The filter.
  ///
  /// - Throws: `HostError.argument` if the selection is invalid, or `HostError.policy` if the filter cannot be found or read, or
  ///   is invalid.
  public static func find(_ selection: String) async throws(HostError) -> SystemCallFilter {
    try requireNoStandardInput(selection)
    return try await running { () throws(FilterSourceError) in
      SystemCallFilter(selection, try FilterSource.find(selection))
    }
  }

  /// The policy, or `nil` if the filter is not a policy of Darkroom.
  public var policy: CapturePolicy? {
    if case .policy(let found) = source { CapturePolicy(found) } else { nil }
  }

  /// Returns the programs of the filter, oldest first, as `darkroom policy disassemble` does. A launch under a policy loads the
  /// programs of `CapturePolicy.compileInstalled()` instead, which also report refusals.
  ///
  /// The libseccomp of this machine compiles a seccomp profile. The programs of systemd and minijail files are proved to have
  /// the same result as the files for every call.
  ///
  /// - Throws: `HostError.policy` if the filter cannot be compiled.
  public func programs() async throws(HostError) -> [CompiledFilter] {
    let source = source
    return try await Self.running { () throws(FilterSourceError) in
      try source.programs().map { CompiledFilter($0) }
    }
  }

  /// Returns whether this filter allows nothing that another one does not allow, as `darkroom policy subset` does. The calls
  /// are compared for every architecture, call number and argument. The paths, devices, limits and layers of two policies are
  /// compared, too.
  ///
  /// - Throws: `HostError.policy` if a filter cannot be compiled or analyzed.
  public func isSubset(
    of other: SystemCallFilter,
    under supervision: Supervision = Supervision()
  ) async throws(HostError) -> Bool {
    let (inner, outer, known) = (named, other.named, supervision.known)
    return try await Self.running { () throws(FilterSourceError) in
      try FilterContainment(of: inner, in: outer, under: known).isSubset
    }
  }

  /// Compares this filter with a new one, as `darkroom policy diff` does. All calls that the result does not contain are proved
  /// to have the same result.
  ///
  /// - Returns: The differences. Only two policies have differences of paths, devices, limits and layers.
  ///
  /// - Throws: `HostError.policy` if a filter cannot be compiled or analyzed.
  public func difference(
    to other: SystemCallFilter,
    under supervision: Supervision = Supervision()
  ) async throws(HostError) -> PolicyComparison {
    let (old, new, known) = (named, other.named, supervision.known)
    return try await Self.running { () throws(FilterSourceError) in
      let found = try FilterComparison(old: old, new: new, under: known)
      return PolicyComparison(found.calls, found.sandbox ?? [])
    }
  }

  var named: NamedFilter { NamedFilter(name: name, source: source) }

  /// Runs an operation on filters on a thread of its own, and converts its error.
  static func running<Value: Sendable>(
    _ body: @escaping @Sendable () throws(FilterSourceError) -> Value
  ) async throws(HostError) -> Value {
    try await HostThread.run { () throws(HostError) in
      do throws(FilterSourceError) { return try body() } catch { throw HostError(error) }
    }
  }

  /// Refuses a selection that contains the standard input, which belongs to the embedding program.
  static func requireNoStandardInput(_ selection: String) throws(HostError) {
    let words =
      selection.hasPrefix(FilterSource.stackPrefix)
      ? selection.dropFirst(FilterSource.stackPrefix.count).split(separator: ",") : [selection[...]]
    guard !words.contains("-") else {
      throw HostError(argument: "the library does not read the standard input; write the filter to a file")
    }
  }
}
