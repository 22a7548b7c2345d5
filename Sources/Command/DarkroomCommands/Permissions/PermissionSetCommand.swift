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
    help: "What is decided: authorized, denied, limited to a selection, or, for camera and microphone, ask"
  )
  private static let asset = OptionSpec.value(
    "asset",
    "ID",
    .text,
    .repeated,
    help: "Let the app see this asset; only with photos limited"
  )
  private static let device = OptionSpec.value(
    "device",
    "DEVICE",
    .text,
    .repeated,
    help: "Let the app use this camera or microphone, named as for --camera; only with limited"
  )

  package static let spec = CommandSpec(
    "set",
    summary: "Decide what an app may use",
    discussion: """
      A session that runs is told at once: frames stop when the camera is denied, sound when the microphone is. Who may \
      read photos may add to them, and who may not add may not read. A camera is kept by where it is plugged in and what \
      it is called, whatever number it has later. With ask, the person is asked at the terminal before each session. The \
      app need not be installed yet.
      """,
    options: [asset, device],
    arguments: [CommonOptions.appArgument, PermissionCommand.subject, state],
    examples: [
      ExampleSpec("darkroom permission set org.example.camera camera authorized", "Allow the camera"),
      ExampleSpec(
        "darkroom permission set org.example.camera photos limited --asset 7 --asset 9",
        "Let the app see two pictures"
      ),
      ExampleSpec(
        "darkroom permission set org.example.camera camera limited --device /dev/video0",
        "Allow one camera and no other"
      ),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let app = try CommonOptions.appToConfigure(
      parsed.value(of: CommonOptions.appArgument) ?? "",
      root,
      console
    )
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
