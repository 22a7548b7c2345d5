// SPDX-License-Identifier: Apache-2.0

/// What one side accepts from the other; who exceeds it has left the protocol.
package enum ProtocolLimits {
  /// The longest line in bytes, without its newline, in both directions.
  package static let lineBytes = 65_536
  /// The deepest nesting of arrays and objects in a message.
  package static let depth = 32
  /// How many messages a second an extension may send in the long run.
  package static let messagesPerSecond = 2000
  /// How many messages an extension may send at once after a pause.
  package static let messageBurst = 4000
  /// How many seconds a line that an extension has begun may take to end.
  package static let lineSeconds = 5
  /// The largest app context in bytes, as compact JSON.
  package static let contextBytes = 4096
  /// The largest user activity in bytes, as compact JSON.
  package static let activityBytes = 32768
  /// The most assets of the photo library in one answer.
  package static let assetsPerList = 200
  /// The most camera controls of an extension.
  package static let cameraControls = 4
  /// The longest text of a camera control in bytes.
  package static let controlTextBytes = 128
  /// The most values or titles of a camera control.
  package static let controlChoices = 256
}
