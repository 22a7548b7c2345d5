// SPDX-License-Identifier: Apache-2.0

import SessionStore

extension SessionRecord {
  /// The record of a session that exited by itself without content.
  static var sample: SessionRecord {
    SessionRecord(
      sessionID: SessionID.random(),
      app: "org.example.camera",
      extensionID: "org.example.camera.capture",
      startedAt: 0,
      endedAt: 0,
      outcome: .completed(exitCode: 0)
    )
  }
}
