// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// What the host knows of an extension's camera controls, and what it has told about them.
@MainActor
final class ControlExchange {
  /// The session whose controls are declared; it may be gone.
  private weak var owner: AVCaptureSession?
  /// The controls by the ids that they were declared with.
  private var controls: [String: AVCaptureControl] = [:]
  /// What the host takes them for.
  private var declared: [CameraControl] = []
  /// The number of the newest declaration.
  private var revision = 0
  /// How they stand before the person.
  private var appearance = ControlsAppearance.inactive

  init() {}

  /// Tells the host of the controls of a session, if it does not know them so already.
  func declare(_ session: AVCaptureSession, to runtime: SessionRuntime, again: Bool = false) {
    let list = session.controls
    guard owner === session || !list.isEmpty else { return }
    owner = session
    let ids = ControlNames.ids(for: list.map { $0.identifier ?? $0.title })
    controls = Dictionary(uniqueKeysWithValues: zip(ids, list))
    send(zip(ids, list).map { id, control in control.describe(as: id) }, to: runtime, again)
  }

  /// A session is gone; if it is the one whose controls were declared, they are shown no longer.
  func withdraw() {
    guard owner == nil, let runtime = CurrentSession.session?.runtime else { return }
    controls = [:]
    send([], to: runtime, false)
  }

  private func send(_ list: [CameraControl], to runtime: SessionRuntime, _ again: Bool) {
    guard list != declared || again else { return }
    declared = list
    revision += 1
    runtime.send(.controlsDeclare(CameraControlDeclaration(revision: revision, list)))
  }

  /// The person has adjusted a control.
  func changed(_ change: CameraControlChange, _ runtime: SessionRuntime) {
    guard let control = controls[change.control],
      let index = declared.firstIndex(where: { $0.id == change.control }),
      control.describe(as: change.control).allows(change.value)
    else { return }
    control.adjust(to: change.value)
    declared[index].value = change.value
    // What has been declared since brings the older value back, unless it is said once more.
    guard change.revision != revision, let owner else { return }
    declare(owner, to: runtime, again: true)
  }

  /// The controls stand otherwise before the person.
  func appeared(_ new: ControlsAppearance) {
    let old = appearance
    appearance = new
    guard let owner else { return }
    for method in Self.methods(from: old, to: new) { owner.delegateEntry.call(method, owner) }
  }

  /// What a delegate hears of a change.
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

/// The ids of controls, which scripts name them by.
enum ControlNames {
  /// An id for each of these names, in their order: as the name is written, as far as an id can be, and each once.
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

  /// Small letters, and a hyphen for whatever an id cannot have: `White Balance` is `white-balance`.
  private static func id(for name: String) -> String {
    let bytes = name.lowercased().utf8.map { CameraControl.isOfID($0) ? $0 : UInt8(ascii: "-") }
    let text = String(decoding: bytes, as: UTF8.self).split(separator: "-").joined(separator: "-")
    // With room for a number.
    return text.isEmpty ? "control" : String(text.prefix(60))
  }
}
