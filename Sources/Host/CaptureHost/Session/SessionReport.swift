// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives
package import PolicyLearning
package import Refusals
package import SessionStore

/// The result of a session.
package struct SessionReport: Sendable {
  /// The session record, as stored next to the content.
  package var record: SessionRecord
  /// The path of the content, or `nil` if there was none.
  package var contentPath: String?
  /// The path of the record.
  package var recordPath: String
  /// The end of the extension's output.
  package var outputTail: String
  /// The refused paths that may explain the last lines of a failed extension. They are a guess.
  package var hints: [PathExplanation]
  /// The recorded calls of learning mode, or `nil` if it was not enabled.
  package var learned: LearningLedger?
  /// The number of refusals that were explained while the session ran.
  package var explainedRefusals: Int
  /// The delivery to the app, if the session ended by opening it.
  package var delivery: AppDelivery?
  /// The reason why the app could not be opened. The delivery stays in the app's mailbox.
  package var openingFailure: ApplicationOpeningError?
  /// The reason why the session is not in the session log yet, or `nil` if it is.
  package var logFault: StoreError?
  /// The durations of the migration steps.
  package var migrationSteps: [SessionRecord.Step]
}

/// The reason why a session could not start, or why its content could not be migrated.
package enum SessionError: Error, Sendable, CustomStringConvertible {
  /// The camera provides no frames.
  case camera(CameraFeedError)
  /// The microphone provides no sound.
  case microphone(SoundFeedError)
  /// The display of the viewfinder cannot be opened.
  case preview(SystemCallError)
  /// Another session is in the foreground. The holder is `nil` if that session has just started.
  case foregroundOccupied(ForegroundLock.Holder?)
  /// There is no space for captures.
  case insufficientSpace(StorageRefusal)
  /// The state directory cannot be used. Captured content is preserved, and `recover` migrates it.
  case store(StoreError)
  /// A system call failed on the host.
  case host(SystemCallError)

  /// The message for the user.
  package var description: String {
    switch self {
    case .camera(let error): "no camera: \(error)"
    case .microphone(let error): "no microphone: \(error)"
    case .preview(let error): "the viewfinder cannot be shown: \(error)"
    case .foregroundOccupied(let holder):
      "another session is in the foreground: \(holder.map { "\($0)" } ?? "it is starting"); dismiss it "
        + "first, or use 'darkroom run', which does not require the foreground"
    case .insufficientSpace(let refusal): "\(refusal)"
    case .store(let error): "\(error)"
    case .host(let error):
      "the host cannot run a session: \(error); if the session had started, its content is preserved: run 'darkroom "
        + "recover' to migrate it"
    }
  }
}
