// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import SessionStore

extension SessionError {
  /// The message about a session that was not started or not migrated, with the state of its content.
  package var message: String {
    switch self {
    case .camera, .microphone, .foregroundOccupied, .host: "\(self)"
    case .preview: "\(self); nothing was launched"
    case .insufficientSpace(let refusal): "not enough space: \(refusal); nothing was launched"
    case .store(.refused(let refusal)): "\(refusal); nothing was launched"
    case .store(let cause):
      "\(cause); if the session had started, its content is preserved: run 'darkroom recover' to migrate it"
    }
  }
}
