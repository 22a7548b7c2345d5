// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import PolicyExplanation
package import SessionStore

/// A request for the camera and microphone of a session. It applies the user's selection of devices, and
/// prompts if the permission is to ask each time.
///
/// The request is completed before anything is launched, and before terminal keys are the buttons of the
/// camera.
package struct DeviceAccessRequest {
  /// A device that a launch names.
  package struct Device: Hashable, Sendable {
    /// The permission that the device requires.
    package var subject: PermissionSubject
    /// The device as the launch names it.
    package var text: String

    /// Creates a named device.
    package init(_ subject: PermissionSubject, _ text: String) {
      (self.subject, self.text) = (subject, text)
    }
  }

  private let app: AppStore
  /// The named devices. It is empty unless the user has selected devices or wants to be prompted.
  private var devices: [Device] = []
  private var resolution: PermissionResolution
  private let decided: Result<AppPermissions, StoreError>
  private let administration: Administration

  /// Resolves the devices that a launch names, if the user has selected some.
  ///
  /// `resolution` determines the permissions of the session. `files` are read only for a launch whose
  /// permissions depend on the device or on an answer.
  package init(
    _ app: AppStore,
    _ devices: [Device],
    _ resolution: PermissionResolution,
    _ files: AdministrationFiles
  ) {
    (self.app, self.resolution) = (app, resolution)
    decided = Self.decided(app, for: devices)
    let needsDecision =
      (try? decided.get())?.settings.values.contains { [.limited, .ask].contains($0) } == true
    administration = needsDecision ? files.read() : Administration()
    guard needsDecision, case .success(let permissions) = decided else { return }
    self.devices = devices
    for device in devices {
      // A device that cannot be queried now is queried again when it is opened, which reports the error.
      guard permissions[device.subject] == .limited, !CaptureDevice.isSingleUse(device.text) else { continue }
      self.resolution.devices[device.subject] = try? CaptureDevice.resolvedName(device.text)
    }
  }

  /// Returns the user's decisions, or no decisions if the launch names no device.
  private static func decided(
    _ app: AppStore,
    for devices: [Device]
  ) -> Result<AppPermissions, StoreError> {
    if devices.isEmpty { return .success(AppPermissions()) }
    do throws(StoreError) { return .success(try PermissionStore(app).read()) } catch {
      return .failure(error)
    }
  }

  /// The permission resolution, including the devices and answers that are known.
  package var completedResolution: PermissionResolution { resolution }

  /// The resources for which the user has to be prompted. Resources that are denied for another reason are
  /// excluded.
  package var unansweredSubjects: [PermissionSubject] { unanswered.map(\.subject) }

  private var unanswered: [Device] { devices.filter { resolved($0.subject).reason == .promptRequired } }

  /// The request as if the user had answered every prompt with yes.
  package var assumingConsent: DeviceAccessRequest {
    var deviceRequest = self
    for subject in unansweredSubjects { deviceRequest.resolution.answers[subject] = true }
    return deviceRequest
  }

  private func resolved(_ subject: PermissionSubject) -> ResolvedPermission {
    resolution.resolve(decided, administration)[subject]
  }

  /// Asks for every unanswered resource.
  ///
  /// `answer` prompts the user for one device. It returns `nil` if the user cannot be prompted; the prompt
  /// then remains unanswered.
  package mutating func ask<Failure: Error>(
    _ answer: (Device) throws(Failure) -> Bool?
  ) throws(Failure) {
    for device in devices where resolved(device.subject).reason == .promptRequired {
      resolution.answers[device.subject] = try answer(device)
    }
  }

  /// The reasons for which named devices cannot be used, one sentence a device.
  package var notes: [String] { devices.compactMap(note) }

  private func note(_ device: Device) -> String? {
    let permission = resolved(device.subject)
    let (what, text) = (device.subject.rawValue, TextTable.printable(device.text))
    switch permission.reason {
    case .notSelected(let device):
      let name = device == text ? "" : " (device name: \(ShellWord.quoted(TextTable.printable(device))))"
      return "\(app.id) may not use \(text)\(name), because the user selected other devices; "
        + "'darkroom permission get \(app.id)' lists the selected devices, and 'darkroom permission set \(app.id) "
        + "\(what) limited --device \(ShellWord.quoted(text))' with --device for each of them adds this device"
    case .promptRequired:
      return "\(app.id) gets no \(what): the user must be prompted before each use of the \(what), "
        + "and there is no terminal; run the command in a terminal, or add --allow \(what)"
    case .prompted where !permission.isUsable:
      return "\(app.id) may not use the \(what) in this session, because the user declined"
    default: return nil
    }
  }

  /// Returns whether the notes explain why a permission cannot be used.
  package static func explains(_ permission: ResolvedPermission) -> Bool {
    switch permission.reason {
    case .notSelected, .promptRequired, .prompted: true
    default: false
    }
  }
}
