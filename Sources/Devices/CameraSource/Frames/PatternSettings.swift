// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// The settings of the test pattern: the brightness of its bars. They allow testing extensions that adjust a
/// camera without a camera.
final class PatternSettings: CameraSettings {
  /// The value that is added to the luma of the bars. The thread of the frames reads it.
  final class Brightness: Sendable {
    private let stored = Atomic(0)

    /// The value that was set last.
    var value: Int {
      get { stored.load(ordering: .relaxed) }
      set { stored.store(newValue, ordering: .relaxed) }
    }
  }

  /// The valid values of the brightness.
  private static let range = -100...100
  private let brightness: Brightness

  /// Creates the settings of a pattern with the given brightness.
  init(_ brightness: Brightness) { self.brightness = brightness }

  var location: CameraLocation? { nil }

  func allSettings() -> [CameraSetting] {
    let value = brightness.value
    let range = Self.range
    return [
      CameraSetting(.brightness, from: range.lowerBound, to: range.upperBound, standard: 0, value: value)
    ]
  }

  func set(_ name: CameraSettingName, to value: Int) throws(SystemCallError) -> Int {
    brightness.value = value
    return value
  }
}
