// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText

/// The camera controls of a session: what the extension has declared, and how it stands before the person.
package struct CameraControls: Sendable, Equatable {
  /// The controls with their values.
  package var list: [CameraControl] = []
  /// The declaration that they come from.
  var revision = 0
  /// How they stand before the person.
  var appearance = ControlsAppearance.inactive
  /// The place of the one that the person has used last.
  var focus = 0

  /// The place of a control; nil: there is none of this id.
  func index(_ id: String) -> Int? { list.firstIndex { $0.id == id } }

  /// Whether other controls tell the person something new, besides their values.
  func differ(from others: [CameraControl]) -> Bool {
    list.map { [$0.id, $0.title, $0.extent] } != others.map { [$0.id, $0.title, $0.extent] }
  }
}

// MARK: - The extension

extension SessionMachine {
  /// The extension declares its controls.
  mutating func declareControls(_ declaration: CameraControlDeclaration, _ id: RequestID) -> [SessionAction] {
    guard phase == .running else { return [.refuse(id, .notInSession, "the session is being dismissed")] }
    guard terms.mostCameraControls > 0 || declaration.controls.isEmpty else {
      let text =
        "nobody could adjust camera controls in this session; declare them only if cameraControls is not 0"
      return [.refuse(id, .invalidControls, text)]
    }
    do throws(CameraControlFault) {
      try CameraControl.validate(declaration.controls, most: terms.mostCameraControls)
    } catch {
      return [.send(.reply(Reply(id: id, .failure(error.errorObject))))]
    }
    let isNews = cameraControls.differ(from: declaration.controls)
    let focused = cameraControls.list.isEmpty ? nil : cameraControls.list[cameraControls.focus].id
    cameraControls.list = declaration.controls
    cameraControls.revision = declaration.revision
    cameraControls.focus = focused.flatMap(cameraControls.index) ?? 0
    let done = [SessionAction.send(.reply(Reply(id: id, result: Nothing())))]
    return done + (declaration.controls.isEmpty ? hideControls() : []) + (isNews ? [announceControls()] : [])
  }

  /// The line that tells the person which controls there are.
  private func announceControls() -> SessionAction {
    let lines = cameraControls.list.map { "\($0.title) (\($0.id)) is \($0.shown) of \($0.extent)" }
    return .log(
      .notice,
      "camera controls: " + (lines.isEmpty ? "none any more" : lines.joined(separator: "; "))
    )
  }

  /// The controls are put away: by the person, or because nothing can be adjusted any more.
  mutating func hideControls() -> [SessionAction] { setAppearance(.inactive) }

  private mutating func setAppearance(_ appearance: ControlsAppearance) -> [SessionAction] {
    guard cameraControls.appearance != appearance else { return [] }
    cameraControls.appearance = appearance
    return tell(.controlsAppearance(appearance))
  }
}

// MARK: - The person

extension SessionMachine {
  /// The person does something to the camera controls.
  mutating func operateControls(_ command: CameraControlCommand, now: UInt64) -> [SessionAction] {
    if case .show(.inactive) = command { return show(.inactive) }
    if let obstacle = controlsObstacle {
      return [.log(.notice, "the camera controls do nothing: \(obstacle)")]
    }
    lastSign = now
    switch command {
    case .show(let appearance): return show(appearance)
    case .toggleFullscreen: return show(cameraControls.appearance == .fullscreen ? .active : .fullscreen)
    case .next:
      if cameraControls.appearance != .inactive {
        cameraControls.focus = (cameraControls.focus + 1) % cameraControls.list.count
      }
      let control = cameraControls.list[cameraControls.focus]
      return takeUp() + [.log(.notice, "\(control.title): \(control.shown)")]
    case .set(let id, let wish): return adjust(id) { $0.place(nearest: wish) }
    case .turn(let id, let steps):
      return adjust(id ?? cameraControls.list[cameraControls.focus].id) { $0.turned(by: steps) }
    case .select(let id, let word): return adjust(id) { $0.index(of: word) }
    }
  }

  /// The person wants the controls to stand otherwise before them, and sees that they do.
  private mutating func show(_ appearance: ControlsAppearance) -> [SessionAction] {
    let told = setAppearance(appearance)
    return told.isEmpty ? [] : told + [.log(.notice, "camera controls: \(appearance.rawValue)")]
  }

  /// Why nothing can be adjusted now; nil: something can. As on Apple's systems, a camera has to run.
  private var controlsObstacle: String? {
    if phase != .running { return "the session does not run" }
    if cameraControls.list.isEmpty { return "the extension has declared none" }
    if !isCameraRunning, terms.camera != nil { return "the extension has no camera running" }
    return scene.phase == .active ? nil : "something else is in front of the session"
  }

  /// The person takes a control up that they had put away.
  private mutating func takeUp() -> [SessionAction] {
    cameraControls.appearance == .inactive ? setAppearance(.active) : []
  }

  /// Gives a control the value that the person wants; nil means that the control has no such value.
  private mutating func adjust(_ id: String, _ wish: (CameraControl) -> Double?) -> [SessionAction] {
    guard let index = cameraControls.index(id) else {
      let ids = cameraControls.list.map(\.id).joined(separator: ", ")
      return [.log(.notice, "there is no camera control of this name; there are \(ids)")]
    }
    let control = cameraControls.list[index]
    guard control.isEnabled else { return [.log(.notice, "\(control.title) cannot be adjusted now")] }
    guard let value = wish(control), control.allows(value) else {
      return [.log(.notice, "\(control.title) has no such value, only \(control.extent)")]
    }
    cameraControls.focus = index
    let taken = takeUp()
    guard value != control.value else { return taken }
    cameraControls.list[index].value = value
    let change = CameraControlChange(revision: cameraControls.revision, control: id, value: value)
    return taken + tell(.controlsChanged(change))
      + [.log(.notice, "\(control.title): \(cameraControls.list[index].shown)")]
  }
}
