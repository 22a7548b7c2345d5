// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import Synchronization

/// Something about the camera that the person adjusts with the machine's own keys; Apple's class.
///
/// Make an ``AVCaptureSlider`` or an ``AVCaptureIndexPicker``, and add it to an ``AVCaptureSession``. Every member may be
/// used in any thread.
///
/// Unchecked, because a class with subclasses cannot be checked: everything that changes is in a mutex, and the subclasses
/// of this module store nothing.
public class AVCaptureControl: @unchecked Sendable {
  /// What people call it.
  let title: String
  /// The name of its picture.
  let picture: String
  /// What changes.
  private let state: Mutex<State>

  /// What changes about a control.
  private struct State: Sendable {
    /// The values that it can have.
    var choices: CameraControl.Choices
    /// The value that it has.
    var value: Double
    /// Whether the person may change it.
    var isEnabled = true
    /// What tests and scripts call it.
    var identifier: String?
    /// What is done when the person has changed it.
    var action: ControlAction?
    /// The session that it was added to.
    weak var session: AVCaptureSession?
  }

  /// Makes a control, with a value that it can have.
  init(_ title: String, _ picture: String, _ choices: CameraControl.Choices, value: Double) {
    self.title = title
    self.picture = picture
    state = Mutex(State(choices: choices, value: value))
  }

  /// Whether the person may adjust the control; true from the beginning.
  ///
  /// A control that is not enabled is shown, and stays at its value.
  public var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { change { $0.isEnabled = newValue } }
  }

  /// The values that the control can have; a change reaches the host.
  var choices: CameraControl.Choices {
    get { state.withLock { $0.choices } }
    set { change { $0.choices = newValue } }
  }

  /// The value as the host has it; a change reaches the host, and calls no action.
  ///
  /// One that the control cannot have is a mistake in the program, which ends, as with Apple's exception.
  var rawValue: Double {
    get { state.withLock { $0.value } }
    set {
      precondition(
        describe(as: "control").allows(newValue),
        "\(newValue) is no value of the control \"\(title)\"; set one of its range, its values or its titles"
      )
      change { $0.value = newValue }
    }
  }

  /// What tests and scripts call the control.
  var identifier: String? {
    get { state.withLock { $0.identifier } }
    set { change { $0.identifier = newValue } }
  }

  /// The session that the control was added to; nil: none, or it is gone.
  var session: AVCaptureSession? { state.withLock { $0.session } }

  /// Goes from one session to another, or into one or out of it; false if it is not in the first.
  ///
  /// One step, so that of two threads only one can add a control.
  func move(from old: AVCaptureSession?, to new: AVCaptureSession?) -> Bool {
    state.withLock { state in
      guard state.session === old else { return false }
      state.session = new
      return true
    }
  }

  /// Sets what is done when the person has adjusted the control.
  func setAction(_ action: ControlAction) { state.withLock { $0.action = action } }

  /// The person has adjusted the control: the value is there before the action is called.
  func adjust(to value: Double) {
    let action = state.withLock { state in
      state.value = value
      return state.action
    }
    action?.call(value)
  }

  /// The control as it is declared to the host.
  func describe(as id: String) -> CameraControl {
    state.withLock { state in
      CameraControl(
        id: id,
        title: title,
        symbol: picture,
        isEnabled: state.isEnabled,
        state.choices,
        value: state.value
      )
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let session = state.withLock { state in
      body(&state)
      return state.session
    }
    session?.controlsChanged()
  }
}

extension AVCaptureControl: Hashable {
  /// Whether both are the same object.
  public static func == (one: AVCaptureControl, other: AVCaptureControl) -> Bool { one === other }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
