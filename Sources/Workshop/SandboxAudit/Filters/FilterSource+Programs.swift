// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import FilterAnalysis
internal import LaunchPlanning
internal import PolicyInterchange
internal import SandboxEnforcement
internal import SandboxLaunch
package import SandboxPolicy

extension FilterSource {
  /// Returns the programs that are loaded for the filter, the oldest one first.
  ///
  /// The libseccomp of this machine compiles a profile in JSON, as it does for a container runtime. Darkroom
  /// compiles the rules of minijail and systemd, and proves that the program is equal to the rules.
  package func programs() throws(FilterSourceError) -> [FilterProgram] {
    switch self {
    case .policy(let found): return [try Self.compile(found.policy)]
    case .program(let program): return [program]
    case .process(_, let programs): return programs
    case .stack(let sources):
      var programs: [FilterProgram] = []
      for source in sources { programs += try source.programs() }
      return programs
    case .profile(let foreign, let format):
      switch foreign.content {
      case .program(let program): return [program]
      case .profile(let profile):
        return [format == .oci ? try Self.merged(profile).program : try Self.compile(profile)]
      }
    }
  }

  /// Returns the program to which a policy is compiled.
  package static func compile(_ policy: ResolvedPolicy) throws(FilterSourceError) -> FilterProgram {
    do {
      return try FilterInspection.decoded(try SeccompCompiler.compile(policy).instructions)
    } catch let error as SeccompError { throw .compiler(error) } catch {
      throw .machine(error)
    }
  }

  private static func compile(_ profile: CallProfile) throws(FilterSourceError) -> FilterProgram {
    do { return try profile.compiled() } catch {
      if case .different = error { throw .notEqual(error) }
      throw .rules(error)
    }
  }

  private static func merged(_ profile: CallProfile) throws(FilterSourceError) -> RuleMerger.Merged {
    do { return try RuleMerger.libseccomp.merge(profile) } catch {
      switch error {
      case .conflict(let call):
        throw .conflict(library: RuleMerger.libseccomp.library, call: call)
      case .other(let reason): throw .library(RuleMerger.libseccomp.library, reason: reason)
      }
    }
  }

  /// Returns the two programs that a launch loads instead of a compiled program, in the order of their
  /// installation.
  package static func installed(_ program: FilterProgram) throws(FilterSourceError) -> [FilterProgram] {
    var programs: [FilterProgram] = []
    for bytes in InstalledFilters(program.bytes, .reported).programs {
      do { programs.append(try FilterInspection.decoded(bytes)) } catch {
        throw .machine(error)
      }
    }
    return programs
  }

  /// The remarks about a profile in JSON that contains calls unknown to the libseccomp of this machine.
  package var libraryRemarks: [String] {
    guard case .profile(let foreign, .oci) = self, case .profile(let profile) = foreign.content,
      let unknown = try? Self.merged(profile).unknownCalls.subtracting(profile.unknownNames), !unknown.isEmpty
    else { return [] }
    return [
      "\(RuleMerger.libseccomp.library) does not know these calls, so the compiled filter has no rules for them: "
        + unknown.sorted().joined(separator: ", ")
    ]
  }
}
