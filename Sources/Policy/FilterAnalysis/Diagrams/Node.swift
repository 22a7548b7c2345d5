// SPDX-License-Identifier: Apache-2.0

/// A function of all bits of a call, by its index in a ``DecisionTable``.
///
/// Two functions of the same table are equal if and only if their nodes are.
typealias Node = Int32
