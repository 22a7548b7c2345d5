// SPDX-License-Identifier: Apache-2.0

package import AppBundles
internal import CameraSource
internal import ExtensionProtocol
package import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch
package import SessionStore

/// Turns an installed extension into what a session is asked for with.
package enum ExtensionLaunch {
  /// What a person chose beside the extension itself.
  package struct Choices: Sendable {
    /// Where frames come from; nil for no camera.
    package var camera: String?
    /// Where sound comes from; nil for no microphone.
    package var microphone: String?
    /// How long the extension may take to end, in seconds.
    package var dismissalGrace = SessionRequest.standardGrace
    /// Gets a copy of what the extension writes; nil for nobody.
    package var echo: Int32?
    /// Whether the record holds a digest of each file.
    package var digests = DigestChoice.none

    /// The signed audit without which the extension is not launched, or `nil` if none is required.
    package var audit: AuditRequirement?
    /// The files in which administrators require audits; the machine's own file always counts.
    package var administration = AdministrationFiles()

    /// No camera, and the standard grace.
    package init() {}
  }

  /// The request for a session of an extension. The extension must be held (``InstalledExtension/hold()``), so that
  /// what is verified here is what runs.
  package static func request(
    _ installed: InstalledExtension,
    _ root: StateRoot,
    _ choices: Choices
  ) throws(ExtensionLaunchError) -> SessionRequest {
    do { try installed.verifyDigest(.unlessUnchanged) } catch { throw .catalog(error) }
    let manifest = installed.manifest
    let found: FoundPolicy
    do {
      found = try PolicyFinder.find(installed.policyPath ?? manifest.policy.shippedName)
    } catch { throw .policy(error) }
    do { try checkAudits(installed, found, choices) } catch { throw .audit(error) }
    let app: AppStore
    do { app = try root.app(installed.app.id) } catch { throw .store(error) }
    let subject = LaunchSubject(
      program: .bundled(directory: installed.path, executable: manifest.executable),
      arguments: manifest.arguments,
      environment: manifest.environment.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) },
      policy: found.policy
    )
    var request = SessionRequest(
      subject: subject,
      app: app,
      extensionID: manifest.id,
      policyDigest: found.digest,
      executableDigest: installed.pinned.executable.map { "\($0)" },
      conversation: manifest.hostProtocol == .none ? .silent : .messages,
      frames: manifest.frames.way,
      camera: choices.camera,
      launchDeadline: manifest.launchDeadline,
      dismissalGrace: choices.dismissalGrace,
      standard: .logged(echo: choices.echo),
      digests: choices.digests
    )
    request.orientations = manifest.orientations.map(\.scene)
    request.preparation = manifest.preparation
    request.microphone = choices.microphone
    request.installed = installed
    return request
  }
}

extension ExtensionLaunch {
  /// Throws unless every required audit is about what is installed.
  private static func checkAudits(
    _ installed: InstalledExtension,
    _ found: FoundPolicy,
    _ choices: Choices
  ) throws(AuditRequirementError) {
    let administration = choices.administration.read()
    // A file that cannot be used may require an audit.
    if let fault = administration.fault { throw .administration(fault) }
    let required = administration.audits(installed.app.id).map { AuditRequirement($0, installed) }
    for requirement in required + (choices.audit.map { [$0] } ?? []) {
      try requirement.check(installed, found)
    }
  }
}

extension PolicyReference {
  /// The name of the shipped policy; for a file, the file's name, which is never looked up.
  package var shippedName: String {
    switch self {
    case .shipped(let name), .file(let name): name
    }
  }
}

extension AppBundles.InterfaceOrientation {
  /// The same as the protocol has it.
  fileprivate var scene: SceneOrientation {
    switch self {
    case .portrait: .portrait
    case .portraitUpsideDown: .portraitUpsideDown
    case .landscapeLeft: .landscapeLeft
    case .landscapeRight: .landscapeRight
    }
  }
}

extension AppBundles.FrameDelivery {
  fileprivate var way: SessionRequest.FrameWay {
    switch self {
    case .none: .none
    case .ring: .ring
    case .stdin: .stream(.frameRate)
    }
  }
}

/// Why an installed extension is not launched.
package enum ExtensionLaunchError: Error, Sendable, CustomStringConvertible {
  /// What is installed is not what was installed.
  case catalog(CatalogError)
  /// Its policy cannot be used.
  case policy(PolicyFindingError)
  /// A required audit is missing, or is about something else.
  case audit(AuditRequirementError)
  /// Its app has no place in the state root.
  case store(StoreError)

  /// A sentence.
  package var description: String {
    switch self {
    case .catalog(let error): "\(error)"
    case .policy(let error): "\(error)"
    case .audit(let error): "\(error)"
    case .store(let error): "\(error)"
    }
  }
}
