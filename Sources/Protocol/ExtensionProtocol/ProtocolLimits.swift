// SPDX-License-Identifier: Apache-2.0

/// The limits of what one side accepts from the other. Exceeding them is a protocol violation.
package enum ProtocolLimits {
  /// The maximum length of a line in bytes, without its newline, in both directions.
  package static let lineBytes = 65_536
  /// The maximum nesting of arrays and objects in a message.
  package static let depth = 32
  /// The maximum sustained rate of messages from an extension, per second.
  package static let messagesPerSecond = 2000
  /// The maximum number of messages that an extension may send at once after a pause.
  package static let messageBurst = 4000
  /// The maximum time from the first byte of an extension's line to its newline, in seconds.
  package static let lineSeconds = 5
  /// The maximum size of an app context in bytes, as compact JSON.
  package static let contextBytes = 4096
  /// The maximum size of a user activity in bytes, as compact JSON.
  package static let activityBytes = 32768
  /// The maximum number of photo library assets in one reply.
  package static let assetsPerList = 200
  /// The maximum number of simultaneous contacts with the viewfinder.
  package static let contacts = 16
  /// The maximum number of camera controls of an extension.
  package static let cameraControls = 4
  /// The maximum length of a camera control's text, in bytes.
  package static let controlTextBytes = 128
  /// The maximum number of values or titles of a camera control.
  package static let controlChoices = 256
}
