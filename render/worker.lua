-- A prepared worker: darktable loads a raw, waits for a sidecar on its standard
-- input, develops a thumbnail with it, and ends, which writes the thumbnail to
-- its cache. What is meant for Chemigram is said on lines that start with
-- "chemigram ". The table `job` (raw, edit) comes before this text.
--
-- The work is done inside darktable's export of another, tiny picture: an event
-- handler runs on the export's own thread, and darktable waits for it. (Calls
-- that yield, such as dt.control.sleep, would let darktable end.)
local dt = require "darktable"

local function say(...)
  io.stdout:write("\nchemigram ", table.concat({...}, " "), "\n")
  io.stdout:flush()
end

local function work()
  local image = dt.database.import(job.raw)
  -- The Lua API has apply_sidecar since darktable 4.4 or later.
  local known, apply = pcall(function() return image.apply_sidecar end)
  known = known and apply ~= nil
  if job.warm then image:generate_cache(true, 0, 0) end
  say("ready", known and "apply" or "import")
  local size = io.stdin:read("l")
  if not size then return end -- Chemigram has gone
  if known then
    image:apply_sidecar(job.sidecar)
    image:drop_cache()
  else
    image = dt.database.import(job.edit)
  end
  local mip = tonumber(size)
  image:generate_cache(true, mip, mip)
  say("done", tostring(image.id))
end

local busy = false -- an export within the handler would call it again
dt.register_event("chemigram", "intermediate-export-image", function()
  if busy then return end
  busy = true
  local ok, err = pcall(work)
  if not ok then say("failed", (tostring(err):gsub("%s+", " "))) end
end)
