// SPDX-License-Identifier: Apache-2.0

// LockedCameraCapture declares the types of this module: controls.
@_exported public import LockedCameraCapture
