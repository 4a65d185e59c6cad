-- A prepared worker: darktable loads a raw and then develops it once for each
-- request on its standard input. It ends when that ends. Its messages to Chemigram
-- are printed on lines that start with "chemigram ". The table `job` (raw, name,
-- edits, out, thumbnails, filler) precedes this text.
--
-- The work is done inside darktable's export of another, tiny picture: an event
-- handler runs on the export's own thread, and darktable waits for it. (Calls
-- that yield, such as dt.control.sleep, would let darktable end.)
local dt = require "darktable"

local function send(...)
  io.stdout:write("\nchemigram ", table.concat({...}, " "), "\n")
  io.stdout:flush()
end

local function exists(path)
  local f = io.open(path, "rb")
  if f then f:close() end
  return f ~= nil
end

local function thumbnail(image, size)
  return job.thumbnails .. "/" .. size .. "/" .. image.id .. ".jpg"
end

-- load_filler makes thumbnails of the filler those in memory that were used last.
-- The first is developed, the others are made of it and cost nothing.
local filler
local function load_filler(...)
  filler = filler or dt.database.import(job.filler)
  for _, size in ipairs({...}) do
    os.remove(thumbnail(filler, size)) -- what lies on the disk is not put into memory
    filler:generate_cache(true, size, size)
  end
end

-- A thumbnail lies in memory until another one needs the room; then those that
-- were used least lately go to the disk. There is room for 84 MB, and each takes
-- as much of it as the largest picture of its size would. So the filler, a tiny
-- picture, holds 83.2 MB (66, 16 and 1.3), and one or two more thumbnails of it
-- push out the one that was just made.
local function fill_memory() load_filler(7, 5, 2) end

local function flush(path)
  fill_memory()
  for _, size in ipairs({0, 1, 3, 4, 6}) do
    load_filler(size)
    if exists(path) then
      fill_memory()
      return
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
  fill_memory()
  send("ready", known and "apply" or "import", tostring(image.width), tostring(image.height), tostring(image.is_raw))
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
      image:generate_cache(true, size, size)
      flush(thumbnail(image, size))
      send("done", number, tostring(image.id))
    else
      local jpeg = dt.new_format("jpeg")
      jpeg.max_width, jpeg.max_height, jpeg.quality = size, size, tonumber(quality)
      jpeg:write_image(image, job.out .. "/" .. number .. ".jpg", false)
      send("done", number, tostring(image.id))
    end
  end
end

local busy = false -- an export within the handler calls it again
dt.register_event("chemigram", "intermediate-export-image", function()
  if busy then return end
  busy = true
  local ok, err = pcall(work)
  if not ok then send("failed", (tostring(err):gsub("%s+", " "))) end
end)
