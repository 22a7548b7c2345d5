// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The synchronization of an extension's camera controls with the host.
@MainActor
final class ControlSynchronizer {
  /// The session whose controls are declared, or `nil` after it is destroyed.
  private weak var owner: AVCaptureSession?
  /// The controls, by the ID in their declaration.
  private var controls: [String: AVCaptureControl] = [:]
  /// The declaration that the host has, including its changes.
  private var declared: [CameraControl] = []
  /// The number of the last declaration.
  private var revision = 0
  /// The appearance of the controls.
  private var appearance = ControlsAppearance.inactive

  init() {}

  /// Declares the controls of a session to the host, if they differ from the last declaration.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - runtime: The runtime that sends the declaration.
  ///   - force: Whether to send the declaration even if it has not changed.
  func declare(_ session: AVCaptureSession, to runtime: SessionRuntime, force: Bool = false) {
    let list = session.controls
    guard owner === session || !list.isEmpty else { return }
    owner = session
    let ids = ControlIdentifiers.ids(for: list.map { $0.identifier ?? $0.title })
    controls = Dictionary(uniqueKeysWithValues: zip(ids, list))
    send(zip(ids, list).map { id, control in control.describe(as: id) }, to: runtime, force)
  }

  /// Withdraws the controls of a destroyed session, if they are the declared ones.
  func withdraw() {
    guard owner == nil, let runtime = CurrentSession.session?.runtime else { return }
    controls = [:]
    send([], to: runtime, false)
  }

  private func send(_ list: [CameraControl], to runtime: SessionRuntime, _ force: Bool) {
    guard list != declared || force else { return }
    declared = list
    revision += 1
    runtime.send(.controlsDeclare(CameraControlDeclaration(revision: revision, list)))
  }

  /// Handles an adjustment of a control by the user.
  func valueChanged(_ change: CameraControlChange, _ runtime: SessionRuntime) {
    guard let control = controls[change.control],
      let index = declared.firstIndex(where: { $0.id == change.control }),
      control.describe(as: change.control).allows(change.value)
    else { return }
    control.adjust(to: change.value)
    declared[index].value = change.value
    // A newer declaration contains the older value, so the controls are declared again.
    guard change.revision != revision, let owner else { return }
    declare(owner, to: runtime, force: true)
  }

  /// Handles a change of the controls' appearance.
  func appearanceChanged(_ new: ControlsAppearance) {
    let old = appearance
    appearance = new
    guard let owner else { return }
    for method in Self.methods(from: old, to: new) { owner.delegateEntry.call(method, owner) }
  }

  /// Returns the delegate methods for a change of the appearance.
  private static func methods(
    from old: ControlsAppearance,
    to new: ControlsAppearance
  ) -> [ControlsDelegateMethod] {
    switch (old, new) {
    case (.inactive, .active): [.becameActive]
    case (.inactive, .fullscreen): [.becameActive, .entersFullscreen]
    case (.active, .fullscreen): [.entersFullscreen]
    case (.fullscreen, .active): [.exitsFullscreen]
    case (.fullscreen, .inactive): [.exitsFullscreen, .becameInactive]
    case (.active, .inactive): [.becameInactive]
    case (.inactive, .inactive), (.active, .active), (.fullscreen, .fullscreen): []
    }
  }
}

/// The IDs of controls, by which scripts refer to them.
enum ControlIdentifiers {
  /// Returns a unique ID for each name, in order, as similar to the name as the rules for IDs permit.
  static func ids(for names: [String]) -> [String] {
    var ids: [String] = []
    for name in names {
      let plain = id(for: name)
      var candidate = plain
      var number = 1
      while ids.contains(candidate) {
        number += 1
        candidate = "\(plain)-\(number)"
      }
      ids.append(candidate)
    }
    return ids
  }

  /// Returns the name in lowercase, with hyphens for invalid characters: `White Balance` becomes
  /// `white-balance`.
  private static func id(for name: String) -> String {
    let bytes = name.lowercased().utf8.map { CameraControl.isIDCharacter($0) ? $0 : UInt8(ascii: "-") }
    let text = String(decoding: bytes, as: UTF8.self).split(separator: "-").joined(separator: "-")
    // At most 60 bytes, to leave space for a number.
    return text.isEmpty ? "control" : String(text.prefix(60))
  }
}
