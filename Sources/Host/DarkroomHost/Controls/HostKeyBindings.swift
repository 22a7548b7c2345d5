// SPDX-License-Identifier: Apache-2.0

internal import SessionServices
internal import SessionStore

/// The bindings of keys to controls.
///
/// A bound key presses its control while ``DarkroomHost/DarkroomHost/listenForKeys(of:_:notice:_:)`` or `darkroom
/// control listen` runs.
public struct HostKeyBindings: Sendable {
  private let root: StateRoot
  private let launching: SessionLaunching

  /// Creates the bindings of a state directory.
  init(_ root: StateRoot, _ launching: SessionLaunching) { (self.root, self.launching) = (root, launching) }

  /// A binding of a key to a control.
  public struct Binding: Sendable, Hashable {
    /// The kernel's name of the key or switch, such as `KEY_CAMERA`; with `:double` for two presses in quick
    /// succession, such as `KEY_POWER:double`.
    public let key: String
    /// The ID of the app.
    public let appID: String
    /// The ID of the control.
    public let control: String

    /// Creates a description of a stored binding.
    init(_ binding: KeyBinding) {
      let parts = binding.control.split(separator: "/", maxSplits: 1)
      key = binding.keyText
      appID = parts.first.map(String.init) ?? ""
      control = parts.last.map(String.init) ?? ""
    }
  }

  /// Returns the bindings, sorted by key.
  ///
  /// - Throws: ``HostError/store(_:)`` if the bindings cannot be read.
  public func list() async throws(HostError) -> [Binding] {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) { return try KeyBindings(root).read().map { Binding($0) } } catch {
        throw HostError(error)
      }
    }
  }

  /// Binds a key to a control, and replaces the previous binding of the key.
  ///
  /// - Parameters:
  ///   - key: The key, as in ``Binding/key``. The switch `SW_CAMERA_LENS_COVER` presses the control when the
  ///     lens is uncovered.
  ///   - control: The ID of the control.
  ///   - app: The ID of the installed app.
  ///
  /// - Returns: The binding.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the key or the control is unknown, or the key is bound with
  ///   another number of presses; ``HostError/system(_:)`` if libevdev is unavailable.
  @discardableResult
  public func bind(_ key: String, to control: String, of app: String) async throws(HostError) -> Binding {
    let (root, launching) = (root, launching)
    return try await HostThread.run { () throws(HostError) in
      let trigger = try Self.trigger(key)
      let found = try launching.control(control, of: app)
      do throws(StoreError) { return Binding(try KeyBindings(root).bind(trigger, to: found)) } catch {
        throw HostError(error)
      }
    }
  }

  /// Removes the binding of a key.
  ///
  /// - Parameter key: The key, with or without the number of presses.
  ///
  /// - Returns: The removed binding.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the key is not bound.
  @discardableResult
  public func unbind(_ key: String) async throws(HostError) -> Binding {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) { return Binding(try KeyBindings(root).unbind(key)) } catch {
        throw HostError(error)
      }
    }
  }

  /// Returns the trigger that a text describes.
  private static func trigger(_ key: String) throws(HostError) -> KeyTrigger {
    do { return try KeyTrigger(named: key) } catch {
      switch error {
      case .unknown: throw HostError(argument: "\(error)")
      case .libraryUnavailable: throw .system(.init("\(error)"))
      }
    }
  }
}
