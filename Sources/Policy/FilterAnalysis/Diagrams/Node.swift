// SPDX-License-Identifier: Apache-2.0

/// A function of all bits of a call, by its place in a ``DecisionTable``: two functions of a table are the same exactly if
/// their nodes are.
typealias Node = Int32
