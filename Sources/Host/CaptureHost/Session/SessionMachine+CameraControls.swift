// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText

/// The camera controls that the extension has declared, and their state on the display.
package struct CameraControls: Sendable, Equatable {
  /// The controls with their values.
  package var list: [CameraControl] = []
  /// The revision of the declaration.
  var revision = 0
  /// The appearance on the display.
  var appearance = ControlsAppearance.inactive
  /// The index of the control that was used last.
  var focus = 0

  /// Returns the index of the control with this ID, or `nil` if there is none.
  func index(_ id: String) -> Int? { list.firstIndex { $0.id == id } }

  /// Returns whether the controls differ in more than their values, so that the user must be notified.
  func differ(from others: [CameraControl]) -> Bool {
    list.map { [$0.id, $0.title, $0.rangeText] } != others.map { [$0.id, $0.title, $0.rangeText] }
  }
}

// MARK: - The extension

extension SessionMachine {
  /// Handles a declaration of camera controls.
  mutating func declareControls(_ declaration: CameraControlDeclaration, _ id: RequestID) -> [SessionAction] {
    guard phase == .running else { return [.refuse(id, .notInSession, "the session is being dismissed")] }
    guard terms.devices.maximumCameraControls > 0 || declaration.controls.isEmpty else {
      let text =
        "camera controls cannot be adjusted in this session; declare them only if cameraControls is not 0"
      return [.refuse(id, .invalidControls, text)]
    }
    do throws(CameraControlError) {
      try CameraControl.validate(declaration.controls, most: terms.devices.maximumCameraControls)
    } catch {
      return [.send(.reply(Reply(id: id, .failure(error.errorObject))))]
    }
    let hasChanged = cameraControls.differ(from: declaration.controls)
    let focused = cameraControls.list.isEmpty ? nil : cameraControls.list[cameraControls.focus].id
    cameraControls.list = declaration.controls
    cameraControls.revision = declaration.revision
    cameraControls.focus = focused.flatMap(cameraControls.index) ?? 0
    let done = [SessionAction.send(.reply(Reply(id: id, result: EmptyResult())))]
    return done + (declaration.controls.isEmpty ? hideControls() : [])
      + (hasChanged ? [announceControls()] : [])
  }

  /// Returns a log line with the available controls.
  private func announceControls() -> SessionAction {
    let lines = cameraControls.list.map { "\($0.title) (\($0.id)) is \($0.displayText) of \($0.rangeText)" }
    return .log(
      .notice,
      "camera controls: " + (lines.isEmpty ? "none" : lines.joined(separator: "; "))
    )
  }

  /// Hides the controls, on a command of the user or because nothing can be adjusted.
  mutating func hideControls() -> [SessionAction] { setAppearance(.inactive) }

  private mutating func setAppearance(_ appearance: ControlsAppearance) -> [SessionAction] {
    guard cameraControls.appearance != appearance else { return [] }
    cameraControls.appearance = appearance
    return notify(.controlsAppearance(appearance))
  }
}

// MARK: - The person

extension SessionMachine {
  /// Handles a command to the camera controls.
  mutating func operateControls(_ command: CameraControlCommand, now: UInt64) -> [SessionAction] {
    if case .show(.inactive) = command { return show(.inactive) }
    if let obstacle = controlsObstacle {
      return [.log(.notice, "the camera controls cannot be adjusted now: \(obstacle)")]
    }
    lastActivity = now
    switch command {
    case .show(let appearance): return show(appearance)
    case .toggleFullscreen: return show(cameraControls.appearance == .fullscreen ? .active : .fullscreen)
    case .next:
      if cameraControls.appearance != .inactive {
        cameraControls.focus = (cameraControls.focus + 1) % cameraControls.list.count
      }
      let control = cameraControls.list[cameraControls.focus]
      return activateControls() + [.log(.notice, "\(control.title): \(control.displayText)")]
    case .set(let id, let target): return adjust(id) { $0.allowedValue(nearest: target) }
    case .step(let id, let steps):
      return adjust(id ?? cameraControls.list[cameraControls.focus].id) { $0.steppedValue(by: steps) }
    case .select(let id, let word): return adjust(id) { $0.index(of: word) }
    }
  }

  /// Sets the appearance on a command of the user, and logs the change.
  private mutating func show(_ appearance: ControlsAppearance) -> [SessionAction] {
    let notifications = setAppearance(appearance)
    return notifications.isEmpty
      ? [] : notifications + [.log(.notice, "camera controls: \(appearance.rawValue)")]
  }

  /// The reason why nothing can be adjusted now, or `nil` if controls can be adjusted. As on Apple's systems,
  /// the camera must be running.
  private var controlsObstacle: String? {
    if phase != .running { return "the session is not running" }
    if cameraControls.list.isEmpty { return "the extension has declared no controls" }
    if !isCameraRunning, terms.devices.camera != nil { return "the camera is not running" }
    return scene.phase == .active ? nil : "the session is in the background"
  }

  /// Shows hidden controls, because one of them is being used.
  private mutating func activateControls() -> [SessionAction] {
    cameraControls.appearance == .inactive ? setAppearance(.active) : []
  }

  /// Sets a control to the value that `target` returns. The control has no such value if it returns `nil`.
  private mutating func adjust(_ id: String, _ target: (CameraControl) -> Double?) -> [SessionAction] {
    guard let index = cameraControls.index(id) else {
      let ids = cameraControls.list.map(\.id).joined(separator: ", ")
      return [.log(.notice, "no camera control has this name; controls: \(ids)")]
    }
    let control = cameraControls.list[index]
    guard control.isEnabled else { return [.log(.notice, "\(control.title) cannot be adjusted now")] }
    guard let value = target(control), control.allows(value) else {
      return [.log(.notice, "\(control.title) does not have this value, only \(control.rangeText)")]
    }
    cameraControls.focus = index
    let taken = activateControls()
    guard value != control.value else { return taken }
    cameraControls.list[index].value = value
    let change = CameraControlChange(revision: cameraControls.revision, control: id, value: value)
    return taken + notify(.controlsChanged(change))
      + [.log(.notice, "\(control.title): \(cameraControls.list[index].displayText)")]
  }
}
