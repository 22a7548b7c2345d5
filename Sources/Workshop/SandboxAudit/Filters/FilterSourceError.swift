// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import LaunchPlanning
package import LinuxPrimitives
package import PolicyInterchange
package import SandboxEnforcement

/// An error while a filter was found, read, compiled or analyzed.
package enum FilterSourceError: Error, CustomStringConvertible {
  /// The argument has the form of a process ID and is none.
  case notProcessID(String)
  /// The argument is not a list of filters.
  case notStack
  /// A policy cannot be found.
  case policy(PolicyFindingError)
  /// A file cannot be read.
  case unreadable(file: String, SystemCallError)
  /// A file is larger than the limit, in bytes.
  case tooLarge(file: String, limit: Int)
  /// A file is not a valid policy of another program.
  case profile(file: String, InterchangeError)
  /// A file is neither a policy nor a compiled filter.
  case notFilter(file: String, FilterProgramError)
  /// The filters of a process cannot be read.
  case process(Int32, ProcessFiltersError)
  /// A filter of a process cannot be decoded.
  case processFilter(Int32, any Error)
  /// A policy cannot be compiled.
  case compiler(SeccompError)
  /// A compiled filter differs from its rules.
  case notEqual(any Error)
  /// The rules of a profile cannot be compiled.
  case rules(any Error)
  /// The libseccomp of this machine refuses contradicting rules of a call.
  case conflict(library: String, call: String)
  /// The libseccomp of this machine cannot compile a profile.
  case library(String, reason: String)
  /// A compiled filter cannot be decoded, or Darkroom's own invariants cannot be read.
  case machine(any Error)
  /// A filter cannot be analyzed.
  case analysis(name: String, any Error)
  /// Filters cannot be compared.
  case comparison(AnalysisError)
  /// A certificate covers a single program, and the filter has another number of programs.
  case notSingleProgram(kind: String, count: Int)
  /// There is no certificate.
  case noCertificate(any Error)
  /// The certificate could not be written.
  case notWritten(OutputFileError)

  /// The error message.
  package var description: String {
    switch self {
    case .notProcessID(let text): "'\(text)' is not a process ID; give the PID of a running process"
    case .notStack:
      "a stack requires filters separated by commas, none of which is a stack, with standard input (-) at most once"
    case .policy(let error): "\(error)"
    case .unreadable(let file, let error): "\(file) cannot be read: \(error)"
    case .tooLarge(let file, let limit): "\(file) exceeds the maximum size of \(limit) bytes"
    case .profile(let file, let error): "\(file): \(error)"
    case .notFilter(let file, let error): "\(file) is neither a policy nor a compiled filter: \(error)"
    case .process(let process, let error): "process \(process): \(error)"
    case .processFilter(let process, let error): "process \(process): a filter cannot be read: \(error)"
    case .compiler(let error): "\(error)"
    case .notEqual(let error), .rules(let error): "\(error)"
    case .conflict(let library, let call): "\(library) rejects the contradictory rules of \(call)"
    case .library(let library, let reason): "\(library): \(reason)"
    case .machine(let error): "\(error)"
    case .analysis(let name, let error): "\(name): \(error)"
    case .comparison(let error): "the filters could not be compared: \(error)"
    case .notSingleProgram(let kind, let count):
      "a certificate requires a single program; a \(kind) has \(count)"
    case .noCertificate(let error): "no certificate can be created: \(error)"
    case .notWritten(let error): "the certificate could not be written: \(error)"
    }
  }
}
