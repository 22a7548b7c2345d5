// SPDX-License-Identifier: Apache-2.0

// LockedCameraCapture declares the types of this module: the events of the capture buttons.
@_exported public import LockedCameraCapture
