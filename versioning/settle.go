package versioning

import "errors"

// settle finishes what a writer that died left behind. The caller holds the
// lock.
func (v *view) settle() error {
	if v.torn > 0 {
		if err := v.journal.truncate(v.end); err != nil {
			return fileError(journalName, err)
		}
		v.torn = 0
	}
	if v.stray && v.index != nil {
		if err := v.index.truncate(int64(v.rows+1) * rowSize); err != nil {
			return nil // the index is a help: what is in the way is not read
		}
		v.stray = false
	}
	if len(v.extra) == 0 {
		return nil
	}
	// Nobody may build on these before they are safe.
	if err := v.sync(); err != nil {
		return err
	}
	if v.index == nil {
		return v.writeIndex()
	}
	v.fillAbout()
	if _, err := v.index.WriteAt(appendRows(nil, v.extra), int64(v.rows+1)*rowSize); err != nil {
		return nil // likewise: the rows stay in memory
	}
	v.syncIndex()
	v.rows, v.extra, v.block = v.last, nil, nil
	return nil
}

// writeIndex makes a new index of the rows, all of which are in memory. The
// index is a help: that it fails is no error of the verb.
func (v *view) writeIndex() error {
	v.fillAbout()
	dir := v.history.folder
	f, err := dir.create(indexName + tempSuffix)
	if err != nil {
		return nil // likewise
	}
	_, err = f.WriteAt(appendRows(indexHeader(v.header), v.extra), 0)
	if err == nil && v.history.opts.Durability == Full {
		err = f.sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = dir.rename(indexName+tempSuffix, indexName)
	}
	if err != nil {
		_ = dir.remove(indexName + tempSuffix)
		return nil
	}
	if v.index, err = dir.open(indexName, true); err != nil {
		v.index = nil
		return nil
	}
	v.rows, v.extra = v.last, nil
	return nil
}

// fillAbout completes the rows that are in memory, so that Log need not read
// their records. A record that cannot be read stays as it is: Log then says so.
func (v *view) fillAbout() {
	for i, r := range v.extra {
		if !r.has(hasRecord) || r.has(hasAbout) {
			continue
		}
		if rec, err := v.record(v.rows + uint64(i) + 1); err == nil {
			v.extra[i] = r.withAbout(aboutOf(rec))
		}
	}
}

func appendRows(b []byte, rows []row) []byte {
	for _, r := range rows {
		b = r.append(b)
	}
	return b
}

// syncIndex makes the rows up to here survive a power cut. When it fails they
// may be found damaged after one, and are made again from the journal.
func (v *view) syncIndex() {
	if v.index != nil && v.history.opts.Durability == Full {
		_ = v.index.sync()
	}
}
