-- A prepared worker: darktable loads a raw and then develops it as often as it is
-- asked to on its standard input. It ends when that ends. What is meant for
-- Chemigram is said on lines that start with "chemigram ". The table `job` (raw,
-- name, edits, out, thumbnails, fillers) comes before this text.
--
-- The work is done inside darktable's export of another, tiny picture: an event
-- handler runs on the export's own thread, and darktable waits for it. (Calls
-- that yield, such as dt.control.sleep, would let darktable end.)
local dt = require "darktable"

local function say(...)
  io.stdout:write("\nchemigram ", table.concat({...}, " "), "\n")
  io.stdout:flush()
end

local function exists(path)
  local f = io.open(path, "rb")
  if f then f:close() end
  return f ~= nil
end

-- A thumbnail lies in memory until its cache is full. Thumbnails of a tiny
-- picture, which take as much room as any, push it out to the disk.
local fillers = {}
local function flush(path)
  for i = 1, #job.fillers do
    fillers[i] = fillers[i] or dt.database.import(job.fillers[i])
    fillers[i]:drop_cache()
    for _, size in ipairs({7, 6}) do
      fillers[i]:generate_cache(true, size, size)
      if exists(path) then return end
    end
  end
  error("the thumbnail stays in memory")
end

local function work()
  local image = dt.database.import(job.raw)
  -- The Lua API has apply_sidecar since darktable 4.4 or later. Before, a sidecar
  -- is read when the picture beside it is imported.
  local known, apply = pcall(function() return image.apply_sidecar end)
  known = known and apply ~= nil
  image:generate_cache(true, 0, 0) -- reads and decodes the raw
  say("ready", known and "apply" or "import", tostring(image.width), tostring(image.height), tostring(image.is_raw))
  for line in io.stdin:lines() do
    local what, number, size, quality = line:match("^(%a+) (%d+) (%d+) (%d+)$")
    size = tonumber(size)
    local edit = job.edits .. "/" .. number .. "/" .. job.name
    if known then
      image:apply_sidecar(edit .. ".xmp")
      image:drop_cache()
    else
      image = dt.database.import(edit)
    end
    if what == "draft" then
      local path = job.thumbnails .. "/" .. size .. "/" .. image.id .. ".jpg"
      image:generate_cache(true, size, size)
      flush(path)
      say("done", number, tostring(image.id))
    else
      local jpeg = dt.new_format("jpeg")
      jpeg.max_width, jpeg.max_height, jpeg.quality = size, size, tonumber(quality)
      jpeg:write_image(image, job.out .. "/" .. number .. ".jpg", false)
      say("done", number, tostring(image.id))
    end
  end
end

local busy = false -- an export within the handler calls it again
dt.register_event("chemigram", "intermediate-export-image", function()
  if busy then return end
  busy = true
  local ok, err = pcall(work)
  if not ok then say("failed", (tostring(err):gsub("%s+", " "))) end
end)
