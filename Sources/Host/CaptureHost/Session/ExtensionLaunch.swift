// SPDX-License-Identifier: Apache-2.0

package import AppBundles
internal import CameraSource
internal import ExtensionProtocol
package import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch
package import SessionStore

/// Creates session requests for installed extensions.
package enum ExtensionLaunch {
  /// The options of a launch that are not part of the extension.
  package struct Choices: Sendable {
    /// The source of the frames, or `nil` for no camera.
    package var camera: String?
    /// The source of the sound, or `nil` for no microphone.
    package var microphone: String?
    /// The time that the extension may take to exit after its dismissal, in seconds.
    package var dismissalGrace = SessionRequest.standardGrace
    /// The time that the extension has to meet the requirements of the watchdog.
    package var watchdog = SessionRequest.WatchdogTime.asLaunchDeadline
    /// The time after which an idle session is dismissed, in seconds, or 0 for never.
    package var idleTimeout = 0.0
    /// Whether the program waits for a debugger before its first instruction.
    package var debugger = SessionTerms.Debugger.none
    /// The descriptor that receives a copy of the extension's output, or `nil` for none.
    package var echo: Int32?
    /// The digests of the content files in the session record.
    package var digests = DigestChoice.none

    /// The signed audit without which the extension is not launched, or `nil` if none is required.
    package var audit: AuditRequirement?
    /// The files in which administrators require audits. The file of the machine always counts.
    package var administration = AdministrationFiles()

    /// Creates options without a camera, with the standard grace period.
    package init() {}
  }

  /// Returns the request for a session of an extension.
  ///
  /// The extension must be held (``InstalledExtension/hold()``), so that the verified files are the files
  /// that run.
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
    let subject = LaunchTarget(
      program: .bundled(directory: installed.path, executable: manifest.program.path),
      arguments: manifest.program.arguments,
      environment: manifest.program.environment.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) },
      policy: found.policy
    )
    var request = SessionRequest(
      subject: subject,
      extension: .init(
        app: app,
        id: manifest.id,
        policyDigest: found.digest,
        executableDigest: installed.pinned.executable.map { "\($0)" },
        installed: installed
      ),
      conversation: manifest.capture.hostProtocol == .none ? .silent : .messages,
      devices: .init(
        frames: manifest.capture.frames.transport,
        camera: choices.camera,
        microphone: choices.microphone
      ),
      times: .init(
        launchDeadline: manifest.launchDeadline,
        dismissalGrace: choices.dismissalGrace,
        watchdog: choices.watchdog
      ),
      standard: .logged(echo: choices.echo)
    )
    request.times.idleTimeout = choices.idleTimeout
    request.debugger = choices.debugger
    request.digests = choices.digests
    request.orientations = manifest.capture.orientations.map(\.scene)
    request.preparation = manifest.program.preparation
    return request
  }
}

extension ExtensionLaunch {
  /// Throws an error unless every required audit matches the installed extension.
  private static func checkAudits(
    _ installed: InstalledExtension,
    _ found: FoundPolicy,
    _ choices: Choices
  ) throws(AuditRequirementError) {
    let administration = choices.administration.read()
    // A file that cannot be read may require an audit.
    if let fault = administration.fault { throw .administration(fault) }
    let required = administration.audits(installed.app.id).map { AuditRequirement($0, installed) }
    for requirement in required + (choices.audit.map { [$0] } ?? []) {
      try requirement.check(installed, found)
    }
  }
}

extension PolicyReference {
  /// The name of the shipped policy. For a policy file, this is the file's name, which is not looked up.
  package var shippedName: String {
    switch self {
    case .shipped(let name), .file(let name): name
    }
  }
}

extension AppBundles.InterfaceOrientation {
  /// The corresponding orientation of the protocol.
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
  fileprivate var transport: SessionRequest.FrameTransport {
    switch self {
    case .none: .none
    case .ring: .ring
    case .stdin: .stream(.frameRate)
    }
  }
}

/// The reason why an installed extension is not launched.
package enum ExtensionLaunchError: Error, Sendable, CustomStringConvertible {
  /// The installed files do not match the installation.
  case catalog(CatalogError)
  /// The policy cannot be used.
  case policy(PolicyFindingError)
  /// A required audit is missing or does not match.
  case audit(AuditRequirementError)
  /// The state directory has no valid directory for the app.
  case store(StoreError)

  /// The message for the user.
  package var description: String {
    switch self {
    case .catalog(let error): "\(error)"
    case .policy(let error): "\(error)"
    case .audit(let error): "\(error)"
    case .store(let error): "\(error)"
    }
  }
}
