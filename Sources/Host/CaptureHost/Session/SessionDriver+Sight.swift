// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import LinuxPrimitives
internal import SessionStore

extension SessionDriver {
  /// A snapshot of the session for the control.
  var sight: SessionSight {
    let frames = Int(camera.counts?.consumed ?? 0)
    let isSilent = machine.terms.conversation == .silent
    return SessionSight(
      stage: stage,
      hasAnswered: machine.hasAnswered,
      isCameraOn: isSilent ? frames > 0 : machine.isCameraRunning,
      hearsPresses: machine.hearsPresses,
      // Frames that a silent program reads count as shown.
      hasPresented: machine.viewfinder.isPresented || isSilent && frames > 0,
      frames: frames,
      contentDirectory: places.all.contentDirectory,
      log: output?.transcript ?? []
    )
  }

  /// The stage of the session.
  private var stage: SessionSight.Stage {
    switch machine.phase {
    case .starting: .starting
    case .running: .running
    case .dismissing: .dismissing
    case .killed: .over
    }
  }

  /// Notifies the control that the program has been started.
  mutating func tellLaunch(at now: UInt64) {
    guard control.isWatching else { return }
    output?.beginTranscript()
    control.launched(at: now)
  }
}
