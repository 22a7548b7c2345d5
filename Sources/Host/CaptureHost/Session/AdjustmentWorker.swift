// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SessionStore

/// Sets a camera, and remembers how it was.
struct AdjustmentWorker {
  private let settings: any CameraSettings
  /// For whoever recovers the session if the host is killed.
  private let notes: CameraNotes?
  /// What was set, in this order, with what the camera had for it before.
  private var original: [(name: CameraSettingName, value: Int)] = []

  /// Sets the camera that has these settings.
  init(_ settings: any CameraSettings, _ notes: CameraNotes?) {
    self.settings = settings
    self.notes = notes
  }

  /// Does what is asked, or says why it can't be done.
  mutating func outcome(of wish: CameraWish) -> Reply.Outcome {
    switch wish {
    case .look: .success(CameraSettingsResult(settings.all()).json)
    case .set(let wish): set(wish)
    }
  }

  private mutating func set(_ wish: CameraSettingWish) -> Reply.Outcome {
    guard let name = CameraSettingName(rawValue: wish.name), let found = settings.one(name) else {
      let names = settings.all().map(\.name).joined(separator: ", ")
      let mend = names.isEmpty ? "it has none at all" : "it has \(names)"
      return Self.refusal("the camera has no setting of this name; \(mend)")
    }
    guard found.isAdjustable else {
      let automatic = name.automatic.map { "; set \($0.rawValue) to 0 first" } ?? ""
      return Self.refusal("\(wish.name) cannot be set now, something else sets it\(automatic)")
    }
    guard found.takes(wish.value) else {
      return Self.refusal("\(wish.name) goes from \(found.extent), not \(wish.value)")
    }
    do throws(SystemCallError) {
      // Before it is set: a camera that fails may have done half of it. An automatic sets others as soon as it is on.
      if found.value == 0, name.isAutomatic { for other in name.governed { try note(other) } }
      try note(name)
      return .success(CameraSettingResult(value: try settings.set(name, to: wish.value)).json)
    } catch {
      return Self.refusal("\(wish.name) was not set: \(error)")
    }
  }

  /// Notes how something is that will be set, unless that is noted already.
  private mutating func note(_ name: CameraSettingName) throws(SystemCallError) {
    guard !original.contains(where: { $0.name == name }), let value = settings.inner(name) else { return }
    if let place = settings.place {
      let camera = CameraNotes.Left(path: place.path, device: place.device)
      try notes?.note(CameraNotes.Value(name.rawValue, value), of: camera)
    }
    original.append((name, value))
  }

  private static func refusal(_ sentence: String) -> Reply.Outcome {
    .failure(ErrorObject(code: ProtocolErrorCode.invalidSetting.rawValue, message: sentence))
  }

  /// Sets everything back, the last first: what an automatic would set can be set only until that is on again. Gives what
  /// could not be.
  mutating func reset() -> [String] {
    var faults: [String] = []
    for (name, value) in original.reversed() {
      do throws(SystemCallError) { try restore(name, value) } catch {
        faults.append("\(name.rawValue) of the camera could not be set back to \(value): \(error)")
      }
    }
    if !original.isEmpty { try? notes?.clear() }
    original = []
    return faults
  }

  /// Sets something back; a second time where the way to the camera was disturbed.
  private func restore(_ name: CameraSettingName, _ value: Int) throws(SystemCallError) {
    do throws(SystemCallError) { try settings.restore(name, to: value) } catch {
      // A camera that is gone has forgotten by itself.
      if error.errno == .noSuchDevice { return }
      try settings.restore(name, to: value)
    }
  }
}

extension CameraSettingName {
  /// Whether it sets others.
  fileprivate var isAutomatic: Bool { !governed.isEmpty }

  /// What it sets while it is on.
  fileprivate var governed: [CameraSettingName] { Self.allCases.filter { $0.automatic == self } }
}
