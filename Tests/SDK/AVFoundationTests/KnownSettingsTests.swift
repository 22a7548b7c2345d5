// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Testing

@testable import AVFoundation
@testable import LockedCameraCapture

/// The time for which the settings of a camera are current.
struct KnownSettingsTests {
  /// Returns the settings of a camera with a zoom and a focus, read at a time in milliseconds.
  private func settings(isAutomatic: Bool, from start: UInt64, to end: UInt64) -> KnownSettings {
    var settings = KnownSettings()
    let all = [
      ExtensionProtocol.CameraSetting(.zoom, from: 1, to: 9, standard: 1, value: 1),
      ExtensionProtocol.CameraSetting(.focus, from: 0, to: 9, standard: 1, value: 2),
      ExtensionProtocol.CameraSetting(
        .automaticFocus,
        from: 0,
        to: 1,
        standard: 1,
        value: isAutomatic ? 1 : 0
      ),
    ]
    settings.replace(
      by: all.map { LockedCameraCapture.CameraSetting($0) },
      1,
      from: start * 1_000_000,
      to: end * 1_000_000
    )
    return settings
  }

  @Test(arguments: [(0, 1, 101), (0, 50, 550)] as [(UInt64, UInt64, UInt64)])
  func `outdates a value that the camera changes after ten times the reading time, at least 100 ms`(
    start: UInt64,
    end: UInt64,
    expiry: UInt64
  ) {
    let settings = settings(isAutomatic: true, from: start, to: end)
    #expect(!settings.isOutdated(.focus, at: expiry * 1_000_000 - 1))
    #expect(settings.isOutdated(.focus, at: expiry * 1_000_000))
    #expect(!settings.isOutdated(.zoom, at: .max) && !settings.isOutdated(.automaticFocus, at: .max))
  }

  @Test func `outdates a value at once if its automatic mode is switched`() {
    var settings = settings(isAutomatic: true, from: 0, to: 1)
    settings.request(.automaticFocus, 0)
    settings.applied(.automaticFocus, 0, 0, after: 1)
    #expect(settings.isOutdated(.focus, at: 2_000_000) && settings.value(.automaticFocus) == 0)
    settings = self.settings(isAutomatic: false, from: 0, to: 1)
    #expect(!settings.isOutdated(.focus, at: .max))
    settings.applied(.automaticFocus, 1, 1, after: 1)
    #expect(settings.isOutdated(.focus, at: 2_000_000))
  }

  @Test func `outdates all values after a start of the camera and after changes by other objects`() {
    var settings = settings(isAutomatic: false, from: 0, to: 1)
    #expect(!settings.isOutdated(1) && settings.isOutdated(2))
    settings.applied(.zoom, 3, 3, after: 1)
    #expect(!settings.isOutdated(2) && settings.value(.zoom) == 3)
    settings.applied(.zoom, 4, 4, after: 7)
    #expect(settings.isOutdated(8))
  }

  @Test func `keeps a requested value until the camera has applied or refused it`() {
    var settings = settings(isAutomatic: false, from: 0, to: 1)
    settings.request(.zoom, 3)
    settings.request(.zoom, 5)
    settings.applied(.zoom, 3, 3, after: 1)
    #expect(settings.value(.zoom) == 5)
    settings.refused(.zoom, 5)
    #expect(settings.value(.zoom) == 3 && settings.value(.gain) == nil)
  }
}
