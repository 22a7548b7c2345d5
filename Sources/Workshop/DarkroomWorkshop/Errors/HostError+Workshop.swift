// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
package import DarkroomHost
package import ExtensionTemplates
internal import LaunchPlanning
internal import LinuxPrimitives
package import PolicyTrials
package import SandboxAudit
package import SessionSimulation
internal import SessionStore

extension HostError {
  /// Creates an error from the reason why attacks could not be made.
  package init(_ error: AttackError) {
    let message = "\(error)"
    switch error {
    case .noProbe, .noList: self = .program(Failure(message))
    case .unusable(_, let cause): self = .program(Failure(message, cause))
    case .decoys: self = .store(Failure(message))
    case .plan: self = .policy(Failure(message))
    case .launch: self = .system(Failure(message))
    case .system(let cause): self = .system(Failure(message, cause))
    case .interrupted: self = .cancelled
    }
  }

  /// Creates an error from the reason why a simulated session was not run.
  package init(_ error: SimulationError) {
    switch error {
    case .given, .script: self = .argument(Failure("\(error)"))
    case .launch(let error): self.init(error)
    case .session(let error): self.init(error)
    case .stopped: self = .cancelled
    }
  }

  /// Creates an error from the reason why no extension to test was found.
  package init(_ error: ExtensionUnderTestError) {
    switch error {
    case .catalog(let error): self.init(error)
    case .unreadable(let cause): self = .argument(Failure("\(error)", cause))
    case .noManifest, .noApp, .noExtension, .severalExtensions: self = .argument(Failure("\(error)"))
    }
  }

  /// Creates an error from the reason why no temporary state directory was created.
  package init(_ error: TemporaryStateRootError) {
    switch error {
    case .exists: self = .argument(Failure("\(error)"))
    case .notCreated(let cause): self = .system(Failure("\(error)", cause))
    case .store(let error): self.init(error)
    case .catalog(let error): self.init(error)
    }
  }

  /// Creates an error from the reason why recorded calls cannot be read or written.
  package init(_ error: LearningFileError) {
    switch error {
    case .system(let cause): self = .store(Failure("\(error)", cause))
    case .store(let error): self.init(error)
    case .digest, .tooLarge, .syntax, .fault, .otherBase: self = .store(Failure("\(error)"))
    }
  }

  /// Creates an error from the reason why an app was not created.
  package init(_ error: NewProjectError) {
    switch error {
    case .exists: self = .argument(Failure("\(error)"))
    case .parent(_, let cause): self = .argument(Failure("\(error)", cause))
    case .notCreated(_, let cause): self = .system(Failure("\(error)", cause))
    }
  }

  /// Creates an error from the reason why the evidence for an audit cannot be collected.
  package init(_ error: AuditEvidenceError) {
    switch error {
    case .policy(let error): self.init(error)
    case .store(let error): self.init(error)
    case .attack(let error): self.init(error)
    case .digests, .bundle: self = .installation(Failure("\(error)"))
    case .notExamined, .filter, .peers: self = .policy(Failure("\(error)"))
    }
  }

  /// Creates an error from the reason why a filter cannot be read, compiled or analyzed.
  package init(_ error: FilterSourceError) {
    let message = "\(error)"
    switch error {
    case .notProcessID, .notStack, .notSingleProgram: self = .argument(Failure(message))
    case .unreadable(_, let cause): self = .policy(Failure(message, cause))
    case .policy, .tooLarge, .profile, .notFilter, .process, .processFilter, .compiler, .notEqual, .rules,
      .conflict, .library, .machine, .analysis, .comparison, .noCertificate, .notWritten:
      self = .policy(Failure(message))
    }
  }

  /// Creates an error from an error of a signing key.
  package init(_ error: AuditKeyError) {
    switch error {
    case .unreadable(let cause), .notWritten(let cause): self = .audit(Failure("\(error)", cause))
    case .notPrivateKey, .library: self = .audit(Failure("\(error)"))
    }
  }
}
