// SPDX-License-Identifier: Apache-2.0

import Foundation
import LockedCameraCapture

/// Returns the text that an app shows for an error.
func words(_ error: any Error) -> String {
  let reason = (error as? any LocalizedError)?.failureReason ?? "no reason"
  return "\(error.localizedDescription) \(reason)"
}

extension LockedCameraCaptureSession.ApplicationLaunchError: @retroactive CustomNSError {}
