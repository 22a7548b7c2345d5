// SPDX-License-Identifier: Apache-2.0

// LockedCameraCapture declares the types of this module: intents and their values.
@_exported public import LockedCameraCapture
