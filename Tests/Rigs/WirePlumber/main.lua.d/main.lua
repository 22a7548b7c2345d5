-- SPDX-License-Identifier: Apache-2.0
-- The components of WirePlumber that are loaded.
components = {
  ["metadata"] = { "libwireplumber-module-metadata", type = "module" },
  ["node"] = { "libwireplumber-module-si-node", type = "module" },
  ["link"] = { "libwireplumber-module-si-standard-link", type = "module" },
  ["endpoint"] = { "libwireplumber-module-si-audio-endpoint", type = "module" },
  ["defaults"] = { "libwireplumber-module-default-nodes-api", type = "module" },
  ["items"] = { "create-item.lua", type = "script/lua" },
  ["policy"] = { "policy-node.lua", type = "script/lua", args = { ["move"] = true, ["follow"] = true } },
}
