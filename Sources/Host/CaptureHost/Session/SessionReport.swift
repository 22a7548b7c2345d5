// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives
package import PolicyLearning
package import Refusals
package import SessionStore

/// What became of a session.
package struct SessionReport: Sendable {
  /// The record, as it stands beside the content.
  package var record: SessionRecord
  /// Where the content is, or nil if there was none.
  package var contentPath: String?
  /// Where the record is.
  package var recordPath: String
  /// The last lines that the extension wrote.
  package var outputTail: String
  /// Which refused paths the last lines of an extension that failed may have been about: a guess.
  package var hints: [PathExplanation]
  /// The calls that were learned; nil if nobody asked.
  package var learned: LearningLedger?
  /// How many of the refusals were explained while the session ran.
  package var explainedRefusals: Int
  /// What the app was told, if the session ended with its opening.
  package var delivery: AppDelivery?
  /// Why the app was not opened all the same; what it is told waits in its mailbox.
  package var openingFailure: ApplicationOpeningError?
  /// Why the session is not in the session log yet; nil if it is.
  package var logFault: StoreError?
  /// How long the hand-over took, step by step.
  package var handOver: [SessionRecord.Step]
}

/// Why there was no session at all, or why it could not be handed over.
package enum SessionError: Error, Sendable, CustomStringConvertible {
  /// The camera gives no frames.
  case camera(CameraFeedError)
  /// The microphone gives no sound.
  case microphone(SoundFeedError)
  /// What shall show the viewfinder cannot be opened.
  case preview(SystemCallError)
  /// Another session is in front of the person; nil if it has only just begun.
  case seat(Seat.Holder?)
  /// There is no room for what it could capture.
  case room(RoomRefusal)
  /// The state root refuses; if content was captured, it is safe and `recover` hands it over.
  case store(StoreError)
  /// The host itself lacks something.
  case host(SystemCallError)

  /// A sentence.
  package var description: String {
    switch self {
    case .camera(let error): "no camera: \(error)"
    case .microphone(let error): "no microphone: \(error)"
    case .preview(let error): "the viewfinder cannot be shown there: \(error)"
    case .seat(let holder):
      "another session is in front of the person: \(holder.map { "\($0)" } ?? "it has only just begun"); dismiss it "
        + "first, or run this one with darkroom run, which needs no place in front"
    case .room(let refusal): "\(refusal)"
    case .store(let error): "\(error)"
    case .host(let error):
      "the host cannot run a session: \(error); if the session had begun, its content is safe, and 'darkroom recover' "
        + "hands it over"
    }
  }
}
