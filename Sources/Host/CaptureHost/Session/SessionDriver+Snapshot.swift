// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import LinuxPrimitives
internal import SessionStore

extension SessionDriver {
  /// A snapshot of the session for the control.
  var snapshot: SessionSnapshot {
    let frames = Int(camera.counts?.consumed ?? 0)
    let isSilent = machine.terms.conversation == .silent
    return SessionSnapshot(
      stage: stage,
      hasAnswered: machine.hasAnswered,
      isCameraOn: isSilent ? frames > 0 : machine.isCameraRunning,
      receivesPresses: machine.receivesPresses,
      receivesPointer: machine.receivesPointer,
      // Frames that a silent program reads count as shown.
      hasPresented: machine.viewfinder.isPresented || isSilent && frames > 0,
      frames: frames,
      contentDirectory: places.all.contentDirectory,
      log: output?.transcript ?? []
    )
  }

  /// The stage of the session.
  private var stage: SessionSnapshot.Stage {
    switch machine.phase {
    case .starting: .starting
    case .running: .running
    case .dismissing: .dismissing
    case .killed: .exited
    }
  }

  /// Notifies the control that the program has been started.
  mutating func notifyLaunch(at now: UInt64) {
    guard control.wantsSnapshots else { return }
    output?.beginTranscript()
    control.launched(at: now)
  }
}
