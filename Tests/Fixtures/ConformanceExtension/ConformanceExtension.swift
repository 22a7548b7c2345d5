// SPDX-License-Identifier: Apache-2.0

import LockedCameraCapture

/// The conformance extension in Swift. The extensions in the other languages do the same with their libraries.
@main
struct ConformanceExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      let subject = ConformanceSubject(session)
      subject.describeSession()
      return Viewfinder(.every) { frame in try subject.receive(frame) }
        .onCameraCaptureEvent(
          isEnabled: subject.isSubscribed,
          defaultSoundDisabled: subject.isSoundDisabled
        ) { event in
          try subject.handle(event)
        }
        .onChange(of: "\(session.lockState)") { _, state in session.log(.info, state) }
        .onChange(of: subject.permissionsText) { _, text in session.log(.info, text) }
        .onChange(of: subject.sceneText) { _, text in session.log(.info, text) }
        .onDismissal { (reason: DismissalReason, seconds: Double) in try subject.finish(reason, seconds) }
        .onAppear {
          subject.observe()
          session.log(.info, "ready")
        }
    }
  }
}
