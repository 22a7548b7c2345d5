// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import SessionServices
internal import SessionStore
internal import Synchronization

/// A press of a bound key, and its effect.
public struct KeyPress: Sendable {
  /// The binding of the key.
  public let binding: HostKeyBindings.Binding
  /// The effect of the press of the control, or the reason why the press has no effect.
  public let effect: Result<ControlPressResult, HostError>
}

extension DarkroomHost {
  /// Presses the control of each bound key that the user presses, until the task is cancelled.
  ///
  /// A press has the effect of ``press(_:of:_:)`` with the place that the lock state determines. The keys of the
  /// devices are the buttons of the launched session, and press no control until that session has ended. Changed
  /// bindings take effect at once. The devices are not grabbed: other programs receive the keys, too.
  ///
  /// If the task is cancelled, a session that a key has launched is dismissed, and the function returns after the
  /// migration.
  ///
  /// - Parameters:
  ///   - devices: The input devices.
  ///   - options: The camera, the microphone and the times of the sessions.
  ///   - notice: A closure that receives messages for the user, such as the names of the devices.
  ///   - body: A closure that receives each press after its effect has started: a session runs, or the app was
  ///     opened. The next key is read when the closure has returned and the session has ended.
  ///
  /// - Throws: ``HostError/argument(_:)`` if a device does not exist, ``HostError/store(_:)`` if the bindings
  ///   cannot be read, or ``HostError/system(_:)`` if libevdev or a device is unavailable.
  public func listenForKeys(
    of devices: KeyDevices = .automatic,
    _ options: LaunchOptions = LaunchOptions(),
    notice: @escaping @Sendable (String) -> Void = { _ in },
    _ body: @escaping @Sendable (KeyPress) async -> Void
  ) async throws(HostError) {
    let selection = try devices.selection()
    var sessions = options
    (sessions.place, sessions.keys) = (.program, devices)
    let (root, sessionOptions, running) = (root, sessions, PressTask())
    let perform = { @Sendable (binding: HostKeyBindings.Binding) async -> BoundKeyListener.Press in
      let effect: Result<ControlPressResult, HostError>
      do throws(HostError) {
        effect = .success(try await self.press(binding.control, of: binding.appID, sessionOptions))
      } catch { effect = .failure(error) }
      await body(KeyPress(binding: binding, effect: effect))
      guard case .success(.session(let session)) = effect else { return .completed }
      _ = try? await session.result
      return .session
    }
    try await HostThread.run(onCancel: { running.cancel() }) { (signals: HostSignals) throws(HostError) in
      do throws(KeyListenerError) {
        try BoundKeyListener(
          root,
          selection,
          signals,
          notice: notice,
          press: { found in
            let binding = HostKeyBindings.Binding(found)
            let press = try? HostThread.wait { await running.run { await perform(binding) } }
            return running.isCancelled ? .stopped : press ?? .completed
          }
        ).listen()
      } catch { throw HostError(error) }
    }
  }
}

/// The task that carries out a press of a key.
private final class PressTask: Sendable {
  /// The state that the lock guards.
  private struct State {
    /// The running task, or `nil` if there is none.
    var task: Task<BoundKeyListener.Press, Never>?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Whether the task was cancelled.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Runs a press in a task, and returns its result.
  func run(_ body: @escaping @Sendable () async -> BoundKeyListener.Press) async -> BoundKeyListener.Press {
    let task = Task { await body() }
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
    return await task.value
  }

  /// Cancels the running press, and all later ones.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}
