// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import ExtensionProtocol
internal import Synchronization

/// A camera setting that the user adjusts with the keys of the machine; Apple's class.
///
/// Create an ``AVCaptureSlider`` or an ``AVCaptureIndexPicker``, and add it to an ``AVCaptureSession``. Every
/// member may be used on any thread.
///
/// `@unchecked Sendable`, because a class with subclasses cannot be checked: all mutable state is in a mutex,
/// and the subclasses in this module store nothing.
public class AVCaptureControl: @unchecked Sendable {
  /// The title that is shown to the user.
  let title: String
  /// The name of the symbol.
  let symbol: String
  /// The mutable state.
  private let state: Mutex<State>

  /// The mutable state of a control.
  private struct State: Sendable {
    /// The values that the control can have.
    var choices: CameraControl.Choices
    /// The current value.
    var value: Double
    /// Whether the user may change the value.
    var isEnabled = true
    /// The identifier for tests and scripts.
    var identifier: String?
    /// The action that runs after the user has changed the value.
    var action: ControlAction?
    /// The session to which the control was added.
    weak var session: AVCaptureSession?
  }

  /// Creates a control with an initial value, which must be one of `choices`.
  init(_ title: String, _ symbol: String, _ choices: CameraControl.Choices, value: Double) {
    self.title = title
    self.symbol = symbol
    state = Mutex(State(choices: choices, value: value))
  }

  /// Whether the user may adjust the control; initially `true`.
  ///
  /// A disabled control is shown but keeps its value.
  public var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { change { $0.isEnabled = newValue } }
  }

  /// The values that the control can have; a change is sent to the host.
  var choices: CameraControl.Choices {
    get { state.withLock { $0.choices } }
    set { change { $0.choices = newValue } }
  }

  /// The value that the host knows; a change is sent to the host, and runs no action.
  ///
  /// A value that the control cannot have is a programming error and traps, like Apple's exception.
  var rawValue: Double {
    get { state.withLock { $0.value } }
    set {
      precondition(
        describe(as: "control").allows(newValue),
        "\(newValue) is not a value of the control '\(title)'; set a value of its range, its values or its titles"
      )
      change { $0.value = newValue }
    }
  }

  /// The identifier for tests and scripts.
  var identifier: String? {
    get { state.withLock { $0.identifier } }
    set { change { $0.identifier = newValue } }
  }

  /// The session to which the control was added, or `nil` if there is none or it was destroyed.
  var session: AVCaptureSession? { state.withLock { $0.session } }

  /// Moves the control from one session to another; `nil` means no session.
  ///
  /// It is one atomic step, so that only one of two threads can add a control.
  ///
  /// - Returns: `false` if the control is not in `old`.
  func move(from old: AVCaptureSession?, to new: AVCaptureSession?) -> Bool {
    state.withLock { state in
      guard state.session === old else { return false }
      state.session = new
      return true
    }
  }

  /// Sets the action that runs after the user has adjusted the control.
  func setAction(_ action: ControlAction) { state.withLock { $0.action = action } }

  /// Records an adjustment by the user, and then runs the action.
  func adjust(to value: Double) {
    let action = state.withLock { state in
      state.value = value
      return state.action
    }
    action?.call(value)
  }

  /// Returns the declaration of the control for the host.
  func describe(as id: String) -> CameraControl {
    state.withLock { state in
      CameraControl(
        id: id,
        title: title,
        symbol: symbol,
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
  /// Returns whether both controls are the same object.
  public static func == (one: AVCaptureControl, other: AVCaptureControl) -> Bool { one === other }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An action that runs on a queue of the extension after the user has adjusted a control.
///
/// `@unchecked Sendable`, because Apple's method takes a closure that need not be Sendable: it is only passed
/// on, and called on its queue.
struct ControlAction: @unchecked Sendable {
  /// The queue on which the action runs.
  private let queue: DispatchQueue
  /// The action; it receives the new value.
  private let body: (Double) -> Void

  init(_ queue: DispatchQueue, _ body: @escaping (Double) -> Void) {
    self.queue = queue
    self.body = body
  }

  /// Runs the action with `value` on its queue.
  func call(_ value: Double) {
    let action = self
    queue.async { action.body(value) }
  }
}
