// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// A handler of the signal with which a terminal stops the host (`SIGTSTP`).
package protocol TerminalStopping: AnyObject {
  /// The descriptor that becomes readable when the signal arrives.
  var readable: Int32 { get }
  /// Stops this process if the signal arrived, and returns when the process is continued.
  func take() throws(SystemCallError)
}
