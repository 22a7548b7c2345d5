// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CameraSource
internal import CaptureHost
package import CommandGrammar
internal import LaunchPlanning
internal import SessionServices
internal import SessionStore

/// `darkroom permission set`: records a decision.
package enum PermissionSetCommand: Command {
  private static let state = ArgumentSpec(
    "STATE",
    .one,
    .choice(PermissionSetting.allCases.map(\.rawValue)),
    help: "The decision; limited grants a selection, and ask is for camera and microphone only"
  )
  private static let asset = OptionSpec.value(
    "asset",
    "ID",
    .text,
    .repeated,
    help: "Select this photo asset (only with photos limited)"
  )
  private static let device = OptionSpec.value(
    "device",
    "DEVICE",
    .text,
    .repeated,
    help: "Select this camera or microphone, named as for --camera (only with limited)"
  )

  package static let spec = CommandSpec(
    "set",
    summary: "Grant, deny or limit a permission of an app",
    discussion: """
      Running sessions follow at once: frames stop if the camera is denied, and sound stops if the microphone is \
      denied. The permission to read photos includes the permission to add photos; denying to add photos also \
      denies reading.

      A selected camera is identified by its connection and name, not by its device number. With ask, the user is \
      prompted at the terminal before each session.
      """,
    options: [asset, device],
    arguments: [CommonOptions.appArgument, PermissionCommand.subject, state],
    examples: [
      ExampleSpec("darkroom permission set org.example.camera camera authorized", "Grant the camera"),
      ExampleSpec(
        "darkroom permission set org.example.camera photos limited --asset 7 --asset 9",
        "Grant two photos"
      ),
      ExampleSpec(
        "darkroom permission set org.example.camera camera limited --device /dev/video0",
        "Grant one camera"
      ),
    ],
    exitCodes: [
      ExitCode.data.when("The selection is invalid, or the file of permissions is damaged"),
      ExitCode.missing.when("The device does not exist"),
      ExitCode.machine.when("The device cannot be queried"), ExitCode.unusableStore,
      ExitCode.temporaryFailure.when("The device is in use"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    guard let subject = PermissionCommand.subject(parsed, PermissionCommand.subject),
      let setting = parsed.value(of: state).flatMap(PermissionSetting.init)
    else {
      throw CommandFailure(.usage, "RESOURCE or STATE is missing; see 'darkroom permission set --help'")
    }
    let assets = Set(parsed.values(of: asset))
    let devices = try devices(parsed)
    let decided = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try PermissionStore(app).change { all throws(PermissionSettingError) in
        try all.set(subject, setting, selecting: assets, devices: devices)
      }
    }
    PermissionCommand.show(app, decided, only: nil, parsed, console)
    if setting != .denied { noteUndescribed(subject, app, decided, console) }
    return 0
  }

  /// Prints the extensions that cannot use a granted resource, because their manifests have no usage
  /// description for it.
  private static func noteUndescribed(
    _ subject: PermissionSubject,
    _ app: AppStore,
    _ decided: AppPermissions,
    _ console: Console
  ) {
    guard let installed = try? app.root.catalog.app(app.id) else { return }
    let administration = AdministrationFiles(environment: console.environment).read()
    let without = installed.extensions.filter { captureExtension in
      let resolved = PermissionResolution(captureExtension).resolve(.success(decided), administration)
      // A missing usage description of the app itself is reported in the table.
      guard case .missingUsageDescription(let manifests) = resolved[subject].reason else { return false }
      return manifests == [.captureExtension]
    }
    guard !without.isEmpty else { return }
    console.note(
      "darkroom: the permission has no effect for \(without.map(\.manifest.id).joined(separator: ", ")); add "
        + "\"\(subject.resource.rawValue)\" to \"usageDescriptions\" in extension.json"
    )
  }

  /// Returns the persistent names of the devices on the command line.
  private static func devices(_ parsed: ParsedCommand) throws(CommandFailure) -> Set<String> {
    var devices: Set<String> = []
    for text in parsed.values(of: device) {
      do throws(FrameSourceError) { devices.insert(try CaptureDevice.resolvedName(text)) } catch {
        throw CommandFailure(ExitCode(error), "\(error); no permission was changed")
      }
    }
    return devices
  }
}
